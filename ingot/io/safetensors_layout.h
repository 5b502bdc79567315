// How a safetensors file is laid out, known before any data is at hand.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ingot/io/safetensors.h"

namespace ingot {

struct SafetensorsLayout {
  std::string head;           // all bytes before the data
  std::vector<size_t> order;  // indices into the entries: their data follows in this order, without gaps
};

// Errors as write_safetensors says; the data pointers of the entries are not looked at.
SafetensorsLayout lay_out_safetensors(std::span<const SafetensorsEntry> tensors,
                                      const std::map<std::string, std::string>& metadata);

}  // namespace ingot
