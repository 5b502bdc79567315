"""Small templates, one construct or two each, over the variables below."""

MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "  Hello <there> & \"you\" 'two'\n"},
    {"role": "assistant", "content": None, "tool_calls": [{"name": "f", "arguments": {"b": 1, "a": [True, None, 2.5]}}]},
    {"role": "tool", "content": [{"type": "text", "text": "sunny"}, {"type": "image"}]},
]

OPTIONS = {
    "s": "Hello World", "e": "", "u": "Grüße, Ñandú é 日本 🎉 straße", "blank": " \t x y \n", "digits": "0042",
    "n": 7, "neg": -3, "zero": 0, "f": 2.5, "big": 123456789012, "yes": True, "no": False, "nil": None,
    "l": [3, 1, 2], "words": ["pear", "Apple", "fig", "apple", "Fig"], "nested": [[1, 2], [3, 4]], "nothing": [],
    "d": {"z": 1, "y": "two", "x": [3], "items_": 0}, "empty": {}, "keys": {"items": "shadow", "get": 1},
    "people": [{"name": "Ann", "age": 30, "at": {"city": "Rome"}}, {"name": "bob", "age": 25, "at": {"city": "Oslo"}},
               {"name": "Cy", "age": 30, "at": {"city": "oslo"}, "vip": True}],
    "lines": "one\ntwo\n\nthree\r\nfour", "think": "<think>\nplan\n</think>\n\nanswer", "csv": "a,b,,c",
    "floats": [1.0, 0.1, 1e16, 1e15, 1e-5, 123456.789, -0.0, 1e22, 5e-324], "quote": "it's", "quotes": "it's \"q\"",
    "control": "a\tb\\c\u0001\u007f\u00ad\u2028\n", "deep": {"a": {"b": {"c": [10, {"d": "end"}]}}},
}


def wrap(*expressions):
    return ["{{ " + e + " }}" for e in expressions]


TEMPLATES = wrap(
    # values and their text
    "s", "n", "neg", "f", "yes", "no", "nil", "l", "d", "e", "undefined_name", "true", "True", "false", "none", "None", "floats",
    "nested", "empty", "nothing", "(1, 2)", "(1,)", "()", "[1, 'a', none, true]", "{'a': 1, 'b': [2]}", "{}", "[]", "1, 2",
    "quote", "[quote]", "[quotes]", "[control]", "[u]", "words", "people", "'a' 'b'", '"q\'q"', "'\\n\\t\\\\x\\'\\x41\\u00e9\\101'", "'\\q'",
    "1_000", "1.5e3", "2e-7", "1.0", "0.1 + 0.2", "1e100", "100000000000000000.0", "big", "-1", "+n", "- -n",
    # arithmetic
    "n + 1", "n - 10", "n * 3", "n / 2", "n // 2", "neg // 2", "n % 3", "neg % 2", "n % -3", "f // 1", "f % 1", "-f // 2", "-f % 2", "2 ** 10",
    "2 ** -1", "2 ** 3 ** 2", "-2 ** 2", "2.0 ** 0.5", "1 / 0", "1 // 0", "1 % 0", "n + true", "n + f", "1 + '1'", "'1' + 1", "s + '!'", "s * 2",
    "3 * 'ab'", "'ab' * -1", "l + [4]", "l * 2", "(1,) + (2,)", "l + (1,)", "nil + 1", "undefined_name + 1", "'a' + undefined_name",
    "undefined_name * 2", "-undefined_name", "-s", "6 / 3", "7 // 2.0", "1 + 2 * 3 - 4 / 2", "(1 + 2) * 3", "n * f", "10 - 2 - 3", "2 * 3 % 4",
    # comparison and logic
    "n == 7", "n == 7.0", "true == 1", "'a' == 'a'", "'1' == 1", "nil == none", "l == [3, 1, 2]", "(1, 2) == [1, 2]", "d == d", "n != 7",
    "n < 8", "n <= 7", "n > 7", "n >= 7", "1 < n < 10", "1 < n > 10", "1 < 2 < 3 < 3", "'a' < 'b'", "'B' < 'a'", "'é' > 'z'", "[1, 2] < [1, 3]",
    "'a' < 1", "nil < 1", "undefined_name < 1", "undefined_name == undefined_other", "undefined_name == none", "not n", "not zero", "not not s",
    "n and s", "zero and s", "zero or s", "e or nil or 'x'", "n or undefined_name.x", "e and undefined_name.x", "yes and not no", "not yes or yes",
    "3 in l", "4 in l", "4 not in l", "'ell' in s", "'' in s", "'z' in d", "'q' in d", "'q' not in d", "1 in s", "1 in n", "1 in nil",
    "1 in undefined_name", "undefined_name in l", "not 3 in l", "not (3 in l)", "[1, 2] in nested", "'tool' in messages[3].role",
    "'a' if yes else 'b'", "'a' if no else 'b'", "'a' if no", "'a' if no else 'b' if no else 'c'", "('a' if yes else 'b') ~ 'c'", "1 if yes else 2 + 3",
    "'x' ~ n ~ nil ~ f ~ l", "n ~ 1 + 1", "1 + 1 ~ 2", "undefined_name ~ 'x'", "'a' ~ 'b' * 2", "1 == 1 == 1", "nil is none and nil == nil",
    # subscripts
    "l[0]", "l[-1]", "l[3]", "l[-4]", "l[true]", "s[0]", "s[-1]", "s[99]", "u[2]", "u[3]", "u[-6]", "d['z']", "d.z", "d['q']", "d.q", "d.q.r", "d['q']['r']",
    "nil.x", "nil.x.y", "n.x", "l.x", "s.x", "l['x']", "d[0]", "d[none]", "nested[1][0]", "nested.1.0", "l.0", "deep.a.b.c[1].d", "deep['a'].b['c'].0",
    "l[1:]", "l[:1]", "l[::-1]", "l[-2:]", "l[5:]", "l[::2]", "l[2:0:-1]", "l[:-1]", "l[-100:100]", "l[:]", "l[1:1]", "l[::0]", "s[1:4]", "s[::-1]", "s[-3:]",
    "s[:5]", "s[6:]", "u[3:9]", "u[::-2]", "u[-8:-2]", "(1, 2, 3)[1:]", "n[1:]", "nil[1:]", "d[1:]", "s['upper']()", "undefined_name[0]", "undefined_name[1:]",
    "keys['items']", "keys.get('items')", "s.__class__", "d.__class__", "messages[0]['role']", "messages[-1].content[0].text", "l[n - 6]", "l[1.0]",
    # methods of strings
    "s.upper()", "s.lower()", "s.title()", "'hELLO wORLD'.capitalize()", "u.upper()", "u.lower()", "u.title()", "'o\\'neil o2x'.title()", "s.swapcase()",
    "blank.strip()", "blank.lstrip()", "blank.rstrip()", "'xxaxx'.strip('x')", "'abcba'.lstrip('ab')", "'abcba'.rstrip('ba')", "'x'.strip('')", "blank.strip(none)",
    "'\u00a0a\u2003'.strip()", "'éaé'.strip('é')", "s.split()", "s.split('o')", "csv.split(',')", "csv.split(',', 1)", "csv.rsplit(',', 1)", "csv.split(',', maxsplit=2)",
    "' a  b c '.split()", "' a  b c '.split(none, 1)", "' a  b c '.rsplit(none, 1)", "''.split()", "''.split(',')", "s.split('')", "lines.splitlines()",
    "lines.splitlines(true)", "think.split('</think>')[-1]", "think.split('</think>')[0].split('<think>')[-1].strip()", "think.split('</think>', 1)[1].lstrip('\\n')",
    "s.startswith('Hell')", "s.startswith('ell')", "s.startswith('ell', 1)", "s.startswith(('x', 'H'))", "s.endswith('ld')", "s.endswith('Wor', 0, 9)", "s.startswith('')",
    "s.startswith('', 99)", "s.startswith(1)", "s.find('o')", "s.find('o', 5)", "s.find('q')", "s.rfind('o')", "u.find('日')", "s.index('W')", "s.index('q')", "s.count('l')", "s.count('')",
    "'aaaa'.count('aa')", "s.replace('l', 'L')", "s.replace('l', 'L', 2)", "s.replace('', '-')", "s.replace('', '-', 2)", "s.replace('q', 'z')", "'aaa'.replace('a', '')",
    "', '.join(words)", "'-'.join('abc')", "''.join([])", "','.join(l)", "s.partition(' ')", "s.rpartition('o')", "s.partition('q')", "s.rpartition('q')", "'abc'.removeprefix('ab')",
    "'abc'.removesuffix('bc')", "'abc'.removeprefix('x')", "digits.isdigit()", "'a1'.isalnum()", "'ab'.isalpha()", "''.isalpha()", "' '.isspace()", "'AB1'.isupper()", "'ab1'.islower()",
    "'1'.isupper()", "'7'.zfill(3)", "'-7'.zfill(4)", "'a'.center(5)", "'ab'.center(5, '*')", "'abc'.center(6)", "'a'.ljust(3) ~ '|'", "'a'.rjust(3)", "s.nosuch()", "s.upper(1)",
    "nil.upper()", "undefined_name.upper()", "n.upper()", "'%s is %d' % ('a', 3)", "'%s' % n", "'%5.2f|%-4d|%04d' % (f, n, n)", "'100%%' % ()", "'%s' % (1, 2)", "'%d' % 'a'",
    # methods of dicts and lists
    "d.items() | list", "d.keys() | list", "d.values() | list", "d.get('z')", "d.get('q')", "d.get('q', 'dflt')", "d.get('q', none)", "d.get()", "l.index(1)", "l.index(9)", "l.count(3)",
    "l.append(4)", "d.update({})", "d.pop('z')", "d.items() | length", "empty.items() | list", "(d.items() | list)[0][1]", "keys.items() | list", "(1, 2, 1).count(1)",
    # filters
    "blank | trim", "'xxaxx' | trim('x')", "nil | trim", "undefined_name | trim", "n | trim", "s | upper", "s | lower", "nil | upper", "s | title", "'a-b (c) [d] {e} <f> g.h' | title",
    "s | capitalize", "s | length", "l | count", "d | length", "n | length", "undefined_name | length", "u | length", "s | string", "n | string | length", "l | string",
    "undefined_name | default('x')", "undefined_name | default", "e | default('x')", "e | default('x', true)", "nil | default('x')", "nil | default('x', boolean=true)", "nil | d('x', true)",
    "d.q | default('q')", "d.q.r | default('q')", "l | join(', ')", "l | join", "people | join('; ', attribute='name')", "people | join('; ', 'at.city')", "s | join('-')",
    "undefined_name | join(',')", "n | join", "[1, [2, 'x'], none] | join('|')", "l | first", "l | last", "nothing | first", "nothing | last", "s | first", "s | last", "d | first", "l | reverse | list",
    "s | reverse", "u | reverse", "l | list", "s | list", "d | list", "l | sort", "l | sort(reverse=true)", "words | sort", "words | sort(case_sensitive=true)", "words | sort(true)", "people | sort(attribute='age') | map(attribute='name') | join",
    "people | sort(attribute='age,name', reverse=true) | map(attribute='name') | join(' ')", "people | sort(attribute='at.city') | map(attribute='at.city') | list", "[1, 'a'] | sort", "people | sort",
    "words | unique | list", "words | unique(true) | list", "people | unique(attribute='age') | map(attribute='name') | list", "d | dictsort", "{'b': 1, 'A': 2, 'a': 3} | dictsort", "{'b': 1, 'A': 2} | dictsort(true)", "{'b': 1, 'a': 2} | dictsort(false, 'value')",
    "{'b': 1, 'a': 2} | dictsort(reverse=true)", "{'b': 1} | dictsort(by='x')", "d | items | list", "undefined_name | items | list", "l | items | list", "s | replace('l', 'L')", "s | replace('l', 'L', 1)", "n | replace('7', 'x')", "12 | replace(1, 3)",
    "'3' | int", "'3.7' | int", "'x' | int", "'x' | int(9)", "' 12 ' | int", "'1_0' | int", "3.9 | int", "-3.9 | int", "nil | int", "true | int", "'0x1f' | int(base=16)", "'ff' | int(0, 16)", "'1e3' | int", "'inf' | int", "l | int", "undefined_name | int", "'+5' | int", "'--5' | int",
    "'3.5' | float", "'x' | float", "'x' | float(1.5)", "3 | float", "nil | float", "'1e5' | float", "'inf' | float", "' -2.5 ' | float", "'nan' | float", "neg | abs", "-2.5 | abs", "s | abs",
    "2.5 | round", "3.5 | round", "42.55 | round(1)", "42.55 | round(1, 'floor')", "42.51 | round(1, 'ceil')", "7 | round", "2.675 | round(2)", "-2.5 | round", "1.0 | round(3)", "2.5 | round | int", "2.5 | round(method='up')", "s | round",
    "lines | indent", "lines | indent(2)", "lines | indent(2, true)", "lines | indent(2, false, true)", "lines | indent('> ', first=true, blank=true)", "'a\\n' | indent", "'' | indent(first=true)", "n | indent",
    "d | tojson", "l | tojson", "s | tojson", "u | tojson", "u | tojson(ensure_ascii=true)", "control | tojson", "control | tojson(true)", "nil | tojson", "yes | tojson", "f | tojson", "floats | tojson", "d | tojson(indent=2)", "nested | tojson(indent=4)", "empty | tojson(indent=2)", "nothing | tojson(indent=2)",
    "d | tojson(separators=(',', ':'))", "d | tojson(sort_keys=true)", "d | tojson(indent=1, separators=(' ;', '='))", "messages[2] | tojson", "people[2] | tojson(indent='--')", "(1, 2) | tojson", "undefined_name | tojson", "d.items() | tojson", "{1: 2, none: 3, true: 4, 1.5: 6} | tojson", "'</script>&' | tojson",
    "'<a href=\"x\">&\\'' | e", "'<' | escape", "s | safe", "undefined_name | e", "[1, 2, 3, 4, 5] | batch(2) | list", "[1, 2, 3] | batch(2, 0) | list", "[1, 2, 3, 4, 5] | slice(2) | list", "[1, 2, 3] | slice(2, 'f') | list", "l | sum", "people | sum('age')", "l | sum(start=10)", "l | min", "l | max", "words | min", "words | max(case_sensitive=true)", "nothing | max",
    "people | min(attribute='age')", "words | map('upper') | list", "words | map('replace', 'p', 'P') | join(',')", "people | map(attribute='vip', default='-') | list", "people | map(attribute='vip') | list", "people | map(attribute='at.city') | join", "nested | map(attribute=0) | list", "nested | map('sum') | list", "nested | map('join', '-') | list", "undefined_name | map('upper') | list", "words | map | list",
    "l | select('odd') | list", "l | reject('odd') | list", "l | select('>', 1) | list", "l | select | list", "[0, 1, '', 'a'] | select | list", "[0, 1, '', 'a'] | reject | list", "words | select('equalto', 'fig') | list", "people | selectattr('age', '==', 30) | map(attribute='name') | list", "people | selectattr('vip', 'defined') | map(attribute='name') | join", "people | selectattr('vip') | list | length", "people | rejectattr('vip') | list | length",
    "people | rejectattr('age', 'gt', 26) | list | length", "messages | selectattr('role', 'in', ['user', 'tool']) | map(attribute='role') | list", "words | select('in', ['fig']) | first", "people | groupby('age') | map('first') | list", "people | groupby('at.city') | map(attribute='grouper') | list", "people | groupby('age') | map(attribute='list') | map('length') | list", "'%s-%s' | format('a', 2)", "'a' | center(5)", "(s | attr('upper'))()", "d | attr('z')",
    "l | nosuch", "s | upper | lower | title | length", "-3 | abs", "(-3) | abs", "-f | abs | string", "s | default('x') | upper", "n + '3' | int", "[words | first, words | last]", "l | sort | first + 1", "s|upper~'x'", "l | map('string') | join(',') ~ '.'", "nothing | sum", "'' | sum", "words | sum",
    "nil | map('upper') | list", "nil | selectattr('x') | list", "zero | select | list", "n | select | list", "nested | unique | list", "(1, 2) in d",
    # tests
    "n is defined", "undefined_name is defined", "undefined_name is not defined", "undefined_name is undefined", "d.q is defined", "nil is none", "nil is not none", "undefined_name is none", "s is string", "n is string", "d is mapping", "l is mapping", "l is iterable", "s is iterable", "n is iterable", "d is iterable", "undefined_name is iterable", "nil is iterable",
    "l is sequence", "s is sequence", "d is sequence", "n is sequence", "d.items() is sequence", "(l | map('string')) is sequence", "range(2) is sequence", "undefined_name is sequence", "n is number", "f is number", "yes is number", "s is number", "n is integer", "yes is integer", "f is integer", "f is float", "yes is boolean", "n is boolean", "yes is true", "no is false", "n is true", "zero is false", "n is odd", "n is even", "n is divisibleby 7", "n is divisibleby(2)",
    "f is odd", "s is lower", "'abc' is lower", "'ABC' is upper", "n is in [7, 8]", "n is in(l)", "n is not in l", "'a' is in 'abc'", "n is eq 7", "n is equalto 7", "n is ne 7", "n is gt 3", "n is lessthan(8)", "n is ge 7", "n is le 6", "nil is sameas none", "yes is sameas true", "s is callable", "range is callable", "s.upper is callable", "'upper' is filter", "'nosuch' is filter", "'odd' is test",
    "s is nosuch", "not n is defined", "n is defined and n > 3", "n is defined or undefined_name.x", "n is odd is even", "n + 1 is odd", "(n + 1) is odd", "not nil is none", "s is string and s | length > 3", "n is divisibleby 7 and yes", "1 is eq 1.0", "s is escaped", "d['z'] is defined and d['z'] == 1", "l is iterable and l is not string and l is not mapping",
    # functions
    "range(3) | list", "range(1, 4) | list", "range(5, 0, -2) | list", "range(0) | list", "range(3)[1]", "range(3) | length", "range(3)[1:] | list", "2 in range(3)", "range(1, 2, 0) | list", "range('a')", "range(200000) | length", "dict(a=1, b=2)", "dict(d, z=9)", "dict([('a', 1), ('b', 2)])", "dict(a=1) | tojson", "raise_exception('boom')", "namespace(a=1).a", "nosuch()", "n()", "s()",
    "range(*[1, 3]) | list", "dict(**{'a': 1})", "s.replace(*['l', 'L'])", "s | replace(*('l', 'L'))", "bos_token", "eos_token", "eos_token is defined", "bos_token ~ eos_token", "tools", "tools is defined", "add_generation_prompt", "nosuch.x()", "d.z()",
) + [
    # white space
    "a\n{% if yes %}\nb\n{% endif %}\nc\n", "a\n  {% if yes %}\n  b\n  {% endif %}\nc", "a {%- if yes -%} b {%- endif -%} c", "  {% if yes %}x{% endif %}  ", "{% if yes %}\n\nx{% endif %}\n\n", "a\n  {%+ if yes %}b{% endif %}",
    "{{ s }}\n{{ s }}\n", "{{- s }}\n  {{- s -}}  \n x", " {{ s }} ", "\n\n{{ s }}\n\n", "a {#- c -#} b", "a\n  {# c #}\nb", "{# a #}\n{# b #}\nx", "x  {# c #}\ny", "{#- c +#}\nx", "{% if yes +%}\nx{% endif %}", "{% set a = 1 -%}\n  x", "x {% set a = 1 %} y", "\tx\n\t{% set a = 1 %}\ty",
    "a\r\nb\rc", "{% raw %}{{ x }}{% endraw %}", "a\n {% raw -%}\n  {% if %} {%- endraw %}\nb", "{%- raw %} x {% endraw -%}  y", "{{ '}}' }}", "{{ '{%' ~ \"%}\" }}", "{{ {'a': {'b': 1}}['a']['b'] }}", "{{ {'a': {'b': 1}}}}", "{ {{ s }} }", "{{'a'}}{{'b'}}", "{% if yes %}a{% endif %}{% if yes %}b{% endif %}\n",
    "x\n{%- if yes %}\ny\n{%- endif %}\n", "{{ s -}}\n\n\n{{ s }}", "{% for i in l -%}\n  {{ i }}\n{%- endfor %}", "{% for i in l %}\n  {{ i }}\n{% endfor %}", "{{ '\n' }}x", "{{ 'a\\\nb' }}", "{#\n multi\n line #}\n  {%- set x = 1 %}\n{{ x }}", "  {#- x #}  {% if yes %}y{% endif %}", "", " ", "\n", "\n\n", "{%if yes%}x{%endif%}", "{%-if yes-%} x {%-endif-%}", "{{+1}}", "{{-1}}", "{{ -1 }}",
    # statements
    "{% if n > 5 %}a{% elif n > 3 %}b{% else %}c{% endif %}", "{% if n > 50 %}a{% elif n > 3 %}b{% else %}c{% endif %}", "{% if n > 50 %}a{% elif n > 30 %}b{% else %}c{% endif %}", "{% if undefined_name %}a{% else %}b{% endif %}", "{% if undefined_name.x %}a{% endif %}", "{% if nothing %}a{% endif %}b",
    "{% if l | select('gt', 9) %}gen{% endif %}", "{% if d.items() %}a{% endif %}{% if empty.items() %}b{% endif %}", "{% if yes: %}x{% endif %}", "{% if 1, 2 %}x{% endif %}",
    "{% for x in l %}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}", "{% for x in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }};{% endfor %}",
    "{% for x in l %}{{ loop.previtem }}-{{ loop.nextitem }};{% endfor %}", "{% for x in l %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }}{% endfor %}", "{% for x in l %}{{ loop.cycle('a', 'b') }}{% endfor %}", "{% for x in [1, 1, 2] %}{{ loop.changed(x) }}{% endfor %}", "{% for x in nothing %}a{% else %}none{% endfor %}", "{% for x in l %}a{% else %}none{% endfor %}",
    "{% for x in l if x > 1 %}{{ loop.index }}:{{ x }}/{{ loop.length }} {% endfor %}", "{% for x in l if x > 9 %}x{% else %}none{% endfor %}", "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", "{% for k in d %}{{ k }}{% endfor %}", "{% for (a, b) in nested %}{{ a }}{{ b }}{% endfor %}", "{% for a, b in nested %}{{ a * b }} {% endfor %}", "{% for a, (b, c) in [[1, [2, 3]]] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "{% for a, b in l %}{% endfor %}",
    "{% for c in s %}{{ c }}.{% endfor %}", "{% for x in undefined_name %}x{% else %}u{% endfor %}", "{% for x in nil %}x{% endfor %}", "{% for x in n %}x{% endfor %}", "{% for x in 1, 2 %}{{ x }}{% endfor %}", "{% for x in range(5) %}{% if x == 3 %}{% break %}{% endif %}{{ x }}{% endfor %}", "{% for x in range(5) %}{% if x is odd %}{% continue %}{% endif %}{{ x }}{% endfor %}", "{% break %}",
    "{% for x in l %}{% for y in l %}{% if y == 1 %}{% break %}{% endif %}{{ x }}{{ y }} {% endfor %}{% endfor %}", "{% for x in l %}{% set q = x %}{% endfor %}{{ q }}", "{% set q = 0 %}{% for x in l %}{% set q = q + x %}{{ q }}{% endfor %}|{{ q }}", "{% set ns = namespace(q=0) %}{% for x in l %}{% set ns.q = ns.q + x %}{% endfor %}{{ ns.q }}", "{% set ns = namespace({'a': 1}, b=2) %}{{ ns.a }}{{ ns.b }}{{ ns.c }}", "{% set ns = namespace() %}{% set ns.x = 1 %}{{ ns.x }}{{ ns['x'] }}",
    "{% set d.z = 2 %}", "{% set q.x = 2 %}", "{% for x in l %}{% for y in [1] %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}", "{% for x in l %}{% set outer = loop %}{% for y in [1, 2] %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}", "{% for x in l %}{{ x }}{% endfor %}{{ x }}", "{{ loop }}", "{{ loop.index }}", "{% for x in x %}{% endfor %}done",
    "{% for x in l | sort %}{{ x }}{% endfor %}", "{% for x in l[::-1] %}{{ x }}{% endfor %}", "{% for m in messages %}{{ loop.index0 }}:{{ m.role }}{{ m['content'] }}\n{% endfor %}", "{% set g = l | map('string') %}{{ g | join }}{{ g | join }}", "{% set g = l | map('string') | list %}{{ g | join }}{{ g | join }}", "{% for x in l | map('string') %}{{ loop.last }}{% endfor %}",
    "{% set a = 1 %}{{ a }}{% set a = 2 %}{{ a }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a, b = [1] %}", "{% set a = 1, 2 %}{{ a }}", "{% if yes %}{% set a = 1 %}{% endif %}{{ a }}", "{% set a %}x{{ n }}y{% endset %}{{ a }}", "{% set a | upper %}x{{ s }}{% endset %}{{ a }}", "{% set a | upper | replace('H', 'J') %}{{ s }}{% endset %}{{ a }}", "{% set a %}{% set b = 1 %}{% endset %}{{ b }}", "{% set a %}\n  x\n{% endset %}\n[{{ a }}]",
    "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}", "{% set a = 5 %}{% with a = 1, b = a %}{{ b }}{% endwith %}{{ a }}", "{% with %}{% set a = 1 %}{{ a }}{% endwith %}{{ a }}", "{% filter upper %}abc {{ s }}{% endfilter %}", "{% filter replace('b', 'x') | upper %}abc{% endfilter %}", "{% print s, n %}", "{% generation %}x{{ s }}{% endgeneration %}", "{% generation %}\nx\n{% endgeneration %}\ny", "{% set a = 1 %}{% generation %}{% set a = 2 %}{% endgeneration %}{{ a }}",
    # macros
    "{% macro m(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=5, a=4) }} {{ m() }}", "{% macro m() %}x{% endmacro %}{{ m() }}{{ m() | upper }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}", "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}",
    "{% macro m(n) %}{{ n }}{% if n > 0 %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(5) }}", "{% set q = 1 %}{% macro m() %}{{ q }}{% endmacro %}{{ m() }}{% set q = 2 %}{{ m() }}", "{% macro m() %}{{ later }}{% endmacro %}{% set later = 3 %}{{ m() }}", "{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(1) }}", "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}in{{ n }}{% endcall %}", "{% macro m(xs) %}{% for x in xs %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(v) m(l) %}<{{ v }}>{% endcall %}",
    "{% macro m() %}x{% endmacro %}{% call m() %}y{% endcall %}", "{% macro m() %}\n  a\n{% endmacro %}\n[{{ m() }}]", "{%- macro m(x) -%}\n  {{ x }}\n{%- endmacro -%}\n[{{ m(1) }}]", "{% macro m(a=[], b={}) %}{{ a }}{{ b }}{% endmacro %}{{ m() }}", "{% macro m(a) %}{% set a = a + 1 %}{{ a }}{% endmacro %}{{ m(1) }}", "{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}{{ m(1) }}", "{% macro m() %}{{ s }}{{ messages | length }}{% endmacro %}{{ m() }}", "{% macro a() %}A{% endmacro %}{% macro b() %}{{ a() }}B{% endmacro %}{{ b() }}",
    "{% macro outer(x) %}{% macro inner(y) %}{{ x }}{{ y }}{% endmacro %}{{ inner(2) }}{% endmacro %}{{ outer(1) }}", "{% for x in l %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(*[1, 2]) }}{{ m(**{'a': 3, 'b': 4}) }}", "{{ m.name }}{% macro m() %}{% endmacro %}{{ m.name }}", "{% macro m(x) %}{% if x is mapping %}{% for k, v in x | items %}{{ k }}:{{ m(v) }},{% endfor %}{% else %}{{ x }}{% endif %}{% endmacro %}{{ m(deep.a) }}",
    "{% set x = 1 %}{% if yes %}{% set x = 2 %}{% for i in [1] %}{% set x = 3 %}{% endfor %}{% endif %}{{ x }}", "{% macro m() %}{% for i in range(3) %}{% if i == 1 %}{% break %}{% endif %}{{ i }}{% endfor %}{% endmacro %}{{ m() }}", "{% macro m(a=1, b) %}{% endmacro %}", "{% macro m(caller) %}{% endmacro %}x", "{% if m is defined %}{{ m() }}{% endif %}{% macro m() %}x{% endmacro %}{{ m() }}",
    # broken syntax
    "{{ s", "{% if yes %}x", "{% endif %}", "{{ }}", "{{ 1 + }}", "{{ (1 }}", "{{ [1, 2 }}", "{{ s | }}", "{{ s is }}", "{% for in l %}{% endfor %}", "{% for x l %}{% endfor %}", "{% nosuch %}", "{% if %}x{% endif %}", "{% set %}", "{% set a = %}", "{{ 'abc }}", "{# abc", "{% raw %}x", "{{ 1 2 }}", "{{ s.upper( }}", "{{ $ }}", "{{ a ! b }}", "{% set 1 = 2 %}", "{% for x in l %}{% endif %}", "{{ f(a=1, 2) }}", "{{ f(a=1, a=2) }}", "{{ {1: } }}", "{% macro m( %}{% endmacro %}", "{{ 1.. }}", "{{ s. }}", "{{ not }}", "{{ )( }}", "{% else %}", "{% call s %}{% endcall %}", "{% do l %}", "{{ 'a' if }}", "{{ '\\x4' }}", "{{ '\\u12' }}",
    # as templates write it
    "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% endif %}{{ system }}|{% for m in loop_messages %}{{ m.role }}{% endfor %}",
    "{%- for m in messages %}{%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate') }}{%- endif %}{%- endfor %}",
    "{%- set ns = namespace(last=messages | length - 1, found=false) %}{%- for m in messages[::-1] %}{%- set index = (messages | length - 1) - loop.index0 %}{%- if not ns.found and m.role == 'user' %}{%- set ns.found = true %}{%- set ns.last = index %}{%- endif %}{%- endfor %}{{ ns.last }}",
    "{% for m in messages %}{% if m.content is string %}{{ m.content | trim }}{% elif m.content is iterable %}{% for part in m.content %}{{ part.type }}{% if part.type == 'text' %}{{ part.text }}{% endif %}{% endfor %}{% endif %}{% endfor %}",
    "{% for call in messages[2].tool_calls %}{{ call.name }}({% for k, v in call.arguments | items %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %}){% endfor %}",
    "{% if not date_string is defined %}{% set date_string = '26 Jul 2024' %}{% endif %}{{ date_string }}", "{% if tools is not none and tools | length > 0 %}x{% else %}no tools{% endif %}", "{{ bos_token }}{{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
    "{{ '<|im_start|>' + messages[0]['role'] + '\\n' + messages[0]['content'] + '<|im_end|>' + '\\n' }}", "{{ (messages | map(attribute='role') | list)[1:3] | join(',') }}", "{{ messages[2].content ~ '' }}", "{{ messages[2].content or '' }}", "{{ 'x' + messages[2].content }}", "{{ (think.split('</think>')[0] | trim).split('<think>') | last }}",
]
