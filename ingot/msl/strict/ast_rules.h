// Rules that need types, read off clang's syntax tree of the strict text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ingot/msl/diagnostic.h"

namespace ingot::msl {

// `tree` is what clang -ast-dump=json -ast-dump-filter=checked_kernels prints for `strict_text` (of emit_strict). Finds
// implicit conversions to bfloat (rule 4), casts between address spaces (rule 2) and recursion (rule 1). Error kFormat
// if the tree cannot be read.
std::vector<Diagnostic> check_syntax_tree(std::string_view strict_text, std::string_view tree);

}  // namespace ingot::msl
