#include "ingot/text/pretokenize_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "ingot/base/error.h"
#include "ingot/text/pretokenize_pattern.h"
#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {

constexpr uint32_t kMatchLimit = 50'000'000;    // steps for one match
constexpr uint32_t kHeapLimitKiB = 256 * 1024;  // for the interpreter, where there is no machine code
constexpr size_t kMachineStack = 32 * 1024;     // what machine code gets at first; the second try gets more
constexpr size_t kLargeMachineStack = 64 << 20;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::string message_of(int code) {
  unsigned char text[256];
  return pcre2_get_error_message(code, text, sizeof text) < 0 ? "unknown error" : reinterpret_cast<const char*>(text);
}

struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
using MatchContext = std::unique_ptr<pcre2_match_context, FreeContext>;

MatchContext make_context() {
  MatchContext context(pcre2_match_context_create(nullptr));
  if (!context) throw std::bad_alloc();
  pcre2_set_match_limit(context.get(), kMatchLimit);
  pcre2_set_heap_limit(context.get(), kHeapLimitKiB);
  return context;
}

}  // namespace

struct Regex::Compiled {
  std::string pattern;
  pcre2_code* code = nullptr;
  MatchContext context;
  bool machine_code = false;
  ~Compiled() { pcre2_code_free(code); }
};

Regex::Regex(std::string_view pattern) {
  auto compiled = std::make_shared<Compiled>();
  compiled->pattern = pattern;
  std::string translated = pcre2_of_oniguruma(pattern);
  std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> context(
      pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  if (!context) throw std::bad_alloc();
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_parens_nest_limit(context.get(), 100);
  int error = 0;
  size_t where = 0;
  compiled->code =
      pcre2_compile(bytes_of(translated), translated.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error, &where, context.get());
  if (!compiled->code) {
    fail(ErrorKind::kFormat, "tokenizer",
         cat("regular expression ", quoted(pattern), ": ", message_of(error), " (at byte ", where, " of ",
             quoted(translated, 400), ")"));
  }
  compiled->machine_code = pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE) == 0;
  compiled->context = make_context();
  compiled_ = std::move(compiled);
}

Regex::Search::Search(const Regex& regex, std::string_view text)
    : compiled_(regex.compiled_), text_(text.empty() ? std::string_view("") : text) {
  auto* data = pcre2_match_data_create(1, nullptr);
  if (!data) throw std::bad_alloc();
  data_ = data;
  bounds_ = pcre2_get_ovector_pointer(data);
}

Regex::Search::~Search() { pcre2_match_data_free(static_cast<pcre2_match_data*>(data_)); }

bool Regex::Search::match(size_t from) {
  const Compiled& c = *compiled_;
  auto* data = static_cast<pcre2_match_data*>(data_);
  // The text is known to be valid UTF-8; checking it again for each match would be quadratic.
  int code =
      c.machine_code
          ? pcre2_jit_match(c.code, bytes_of(text_), text_.size(), from, PCRE2_NO_UTF_CHECK, data, c.context.get())
          : pcre2_match(c.code, bytes_of(text_), text_.size(), from, PCRE2_NO_UTF_CHECK, data, c.context.get());
  if (code == PCRE2_ERROR_JIT_STACKLIMIT) {
    MatchContext context = make_context();
    std::unique_ptr<pcre2_jit_stack, void (*)(pcre2_jit_stack*)> stack(
        pcre2_jit_stack_create(kMachineStack, kLargeMachineStack, nullptr), pcre2_jit_stack_free);
    if (!stack) throw std::bad_alloc();
    pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
    code = pcre2_jit_match(c.code, bytes_of(text_), text_.size(), from, PCRE2_NO_UTF_CHECK, data, context.get());
  }
  if (code == PCRE2_ERROR_NOMATCH) return false;
  if (code < 0) {
    fail(ErrorKind::kUnsupported, "tokenizer",
         cat("regular expression ", quoted(c.pattern), " on a text of ", text_.size(), " bytes: ", message_of(code)));
  }
  return true;
}

bool Regex::Search::next(size_t& begin, size_t& end) {
  while (from_ <= text_.size() && match(from_)) {
    begin = bounds_[0];
    end = bounds_[1];
    if (begin > end)
      fail(ErrorKind::kUnsupported, "tokenizer", "regular expression: a match that ends before it begins");
    from_ = end;
    if (begin == end) {
      from_ += end < text_.size() ? character_at(text_, end).length : 1;
      if (end == last_end_) continue;
    }
    last_end_ = end;
    return true;
  }
  return false;
}

}  // namespace ingot::tok
