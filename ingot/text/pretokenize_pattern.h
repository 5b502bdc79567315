// Regular expressions of tokenizer.json are written for Oniguruma (Ruby's syntax); this rewrites one for PCRE2, to be
// compiled with UTF, UCP and MULTILINE and line feed as the newline. Where the two differ, Oniguruma's meaning is kept:
// \s is White_Space, \w counts marks, \h is a hexadecimal digit, \v is one character, {1,3}+ repeats. Constructs that
// cannot be kept exact are an Error that names them: nested sets and && in a set, \K, \X, x flags, flags that begin
// inside a pattern.
#pragma once
#include <string>
#include <string_view>

namespace ingot::tok {

std::string pcre2_of_oniguruma(std::string_view pattern);

}  // namespace ingot::tok
