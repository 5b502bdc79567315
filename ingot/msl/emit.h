// What the emitters share.
#pragma once
#include <string>

#include "ingot/msl/edits.h"
#include "ingot/msl/module.h"
#include "ingot/msl/msl.h"

namespace ingot::msl {

// Error kFormat with the first mistake of check(module, Rules::kPortable), if there is one.
void require_portable(const Module& module);

// What simulator and CUDA text have in common: address spaces and attributes go, `constant` becomes const, headers that
// the portable headers replace are left out. Function constants and threadgroup variables are the caller's.
void erase_metal(const ParsedModule& module, Edits& edits);

// The bytes that tokens [begin, end) cover.
void replace_tokens(const ParsedModule& module, Range range, std::string text, Edits& edits);

// uint(bi_.tg_pos().x), uint2(...), ushort(bi_.lane())
std::string builtin_expression(const KernelParameter& parameter);

// T as part of a pointer type: "const float" where the kernel only reads.
std::string pointee(const KernelParameter& parameter);

}  // namespace ingot::msl
