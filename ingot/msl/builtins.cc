#include "ingot/msl/builtins.h"

namespace ingot::msl {
namespace {

constexpr Builtin kBuiltins[] = {
    {"thread_position_in_grid", "grid_pos", true},   {"threadgroup_position_in_grid", "tg_pos", true},
    {"thread_position_in_threadgroup", "pos", true}, {"threads_per_threadgroup", "tg_size", true},
    {"threadgroups_per_grid", "tg_count", true},     {"threads_per_grid", "grid_size", true},
    {"thread_index_in_threadgroup", "index", false}, {"thread_index_in_simdgroup", "lane", false},
    {"simdgroup_index_in_threadgroup", "sg", false}, {"simdgroups_per_threadgroup", "nsg", false},
    {"threads_per_simdgroup", "sgw", false},
};

}  // namespace

std::span<const Builtin> builtins() { return kBuiltins; }

const Builtin* find_builtin(std::string_view attribute) {
  for (const Builtin& builtin : kBuiltins) {
    if (builtin.attribute == attribute) return &builtin;
  }
  return nullptr;
}

int position_dimensions(std::string_view type) {
  if (type == "uint" || type == "ushort") return 1;
  if (type == "uint2" || type == "ushort2") return 2;
  if (type == "uint3" || type == "ushort3") return 3;
  return 0;
}

}  // namespace ingot::msl
