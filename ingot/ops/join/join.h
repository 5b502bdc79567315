// Joining tensors and taking them apart, as torch.cat, stack, split and chunk.
#pragma once
#include <vector>

#include "ingot/tensor/tensor.h"

namespace ingot {

// The tensors one after the other along `dim`; all other sizes equal. Mixed dtypes promote as promote() says. A 1-D
// tensor of size 0 is skipped whatever the others' rank, as torch does; its dtype still counts. Any dtype (float8 types
// do not mix with others), any strides, any size; the result is fresh and contiguous. Error for no tensors, differing
// sizes or devices.
INGOT_API Tensor cat(const std::vector<Tensor>& tensors, int64_t dim = 0);
// For a literal `dim`, which the message builder of the same name (base/strings.h) would otherwise take.
inline Tensor cat(const std::vector<Tensor>& tensors, int dim) { return cat(tensors, static_cast<int64_t>(dim)); }
// The same along a new axis `dim` in [-rank - 1, rank]; all sizes equal.
INGOT_API Tensor stack(const std::vector<Tensor>& tensors, int64_t dim = 0);

// Views. Pieces of `size` >= 1 along `dim`, the last one smaller if it must be; an empty axis gives one empty piece
// (then 0 is allowed as size).
INGOT_API std::vector<Tensor> split(const Tensor& x, int64_t size, int64_t dim = 0);
// Views of the given sizes, which must add up to the axis.
INGOT_API std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, int64_t dim = 0);
// At most `chunks` >= 1 views of equal size (rounded up), the last one smaller; fewer if the axis is short, as torch.
INGOT_API std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim = 0);

}  // namespace ingot
