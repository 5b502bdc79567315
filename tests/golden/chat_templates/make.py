#!/usr/bin/python3
"""Writes cases.json: chat templates, messages and the text that Jinja2 renders, set up as transformers' apply_chat_template sets it up.

Needs python3-jinja2. Run it in this folder after changing constructs.py or a template; the result is committed.
"""
import json
import pathlib

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

import constructs

HERE = pathlib.Path(__file__).parent


class Generation(jinja2.ext.Extension):
    """{% generation %}: its body is rendered as it is."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_render"), [], [], body).set_lineno(line)

    def _render(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    env = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    return env


def render(env, case):
    variables = {"tools": None, "documents": None, "add_generation_prompt": False}
    for token in ("bos_token", "eos_token"):
        if case.get(token):
            variables[token] = case[token]
    variables.update(case.get("options", {}))
    return env.from_string(case["template"]).render(messages=case["messages"], **variables)


def main():
    env = environment()
    cases = []
    templates = {path.stem: path.read_text() for path in sorted(HERE.glob("*.jinja"))}
    given = json.loads((HERE / "conversations.json").read_text())
    for name, template in templates.items():
        for conversation in given:
            for options in ({}, {"add_generation_prompt": True}):
                cases.append({
                    "name": f"{name}/{conversation['name']}" + ("/prompt" if options else ""),
                    "template_file": f"{name}.jinja",
                    "template": template,
                    "messages": conversation["messages"],
                    "options": {**conversation.get("options", {}), **options},
                    "bos_token": "<|startoftext|>",
                    "eos_token": "<|im_end|>",
                })
    for i, template in enumerate(constructs.TEMPLATES):
        cases.append({"name": f"construct/{i}", "template": template, "messages": constructs.MESSAGES,
                      "options": constructs.OPTIONS, "bos_token": "<s>"})
    for case in cases:
        try:
            case["expected"] = render(env, case)
        except Exception as error:  # whatever Jinja or Python raises: the engine must refuse too
            case["error"] = f"{type(error).__name__}: {error}"
        if " at 0x" in case.get("expected", ""):
            raise SystemExit(f"{case['name']} prints an address: {case['expected']}")
        if "template_file" in case:
            del case["template"]
    # Shared parts are written once.
    document = {"construct_messages": constructs.MESSAGES, "construct_options": constructs.OPTIONS, "cases": cases}
    for case in cases:
        if "template" in case:
            for key in ("messages", "options", "bos_token"):
                del case[key]
    (HERE / "cases.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    print(len(cases), "cases,", sum("error" in case for case in cases), "of them errors")


if __name__ == "__main__":
    main()
