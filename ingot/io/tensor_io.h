// Tensors from and to files.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/io/gguf.h"
#include "ingot/io/safetensors.h"
#include "ingot/io/safetensors_folder.h"
#include "ingot/tensor/tensor.h"

namespace ingot {

// Read-only CPU tensors that borrow the mapping and keep it alive. One that does not start at a multiple of its item
// size (an odd header length) is copied instead. Error kArgument if there is no such tensor, kUnsupported if its dtype
// has no Ingot dtype, kFormat for a BOOL byte that is neither 0 nor 1.
INGOT_API Tensor load_tensor(const SafetensorsFile& file, std::string_view name);
INGOT_API Tensor load_tensor(const SafetensorsFolder& folder, std::string_view name);
// Plain formats only: Error kUnsupported for blocks, which are weights and no tensors.
INGOT_API Tensor load_tensor(const GgufFile& file, std::string_view name);
// Any readable format, as a new f32 tensor.
INGOT_API Tensor load_dequantized(const GgufFile& file, std::string_view name);

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// As write_safetensors of entries; strided tensors are packed on the way, one at a time. Error for tensors that are not
// on the CPU.
INGOT_API void write_safetensors(const std::string& path, const NamedTensors& tensors,
                                 const std::map<std::string, std::string>& metadata = {});

}  // namespace ingot
