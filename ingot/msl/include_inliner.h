// Makes one text of a kernel file and the local headers it includes, since Metal's run-time compiler takes one text.
#pragma once
#include <string>
#include <string_view>

#include "ingot/msl/msl.h"
#include "ingot/msl/source_text.h"

namespace ingot::msl {

// Every `#include "x.h"` is replaced by the file's text, between #line directives, the first time it appears and by an
// empty line afterwards. x.h is looked for beside the including file, then under the name as written. `#pragma once`
// goes. #ifdef, #ifndef, #if [!]defined(__METAL_VERSION__) with #else and #endif are resolved, as that name is defined
// for every compiler of kernels; what they leave out is blanked line by line. All other conditions stay as they are.
// Error kFormat "file:line: message": a header that is not found, an include inside another condition, text with zero
// bytes, an unterminated comment or string, more than kLargestText bytes or kMostIncludes headers.
SourceText inline_includes(std::string_view name, std::string_view text, const IncludeReader& reader);

inline constexpr size_t kLargestText = size_t{1} << 20;
inline constexpr int kMostIncludes = 256;

// "a/b/../c.h" -> "a/c.h", "./x" -> "x".
std::string plain_path(std::string_view path);

}  // namespace ingot::msl
