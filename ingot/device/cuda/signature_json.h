// Signatures of embedded kernels out of the text that the build keeps of them: the inverse of msl::to_json.
#pragma once
#include <string_view>
#include <vector>

#include "ingot/msl/signature.h"

namespace ingot::cuda {

// Error kFormat for what to_json() does not write.
std::vector<msl::KernelSignature> signatures_from_json(std::string_view text);

}  // namespace ingot::cuda
