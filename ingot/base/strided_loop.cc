#include "ingot/base/strided_loop.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ingot {

StridedLoop make_strided_loop(const Dims& sizes, std::initializer_list<Dims> strides, bool keep_order) {
  StridedLoop loop;
  loop.operands = static_cast<int>(strides.size());
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    // Nothing to visit; the strides of an empty tensor mean nothing and are not looked at.
    loop.sizes.push_back(0);
    for (int i = 0; i < loop.operands; i++) loop.strides[i].push_back(1);
    loop.rows = loop.inner = 0;
    return loop;
  }
  std::array<int, kMaxRank> order{};
  int rank = 0;
  for (int d = 0; d < sizes.size(); d++)
    if (sizes[d] != 1) order[rank++] = d;
  if (!keep_order) {
    // Insertion sort by the output's stride, largest first; stride-0 (repeated) dimensions count as outermost.
    const Dims& key = *strides.begin();
    auto weight = [&](int d) { return key[d] == 0 ? INT64_MAX : std::abs(key[d]); };
    for (int i = 1; i < rank; i++)
      for (int j = i; j > 0 && weight(order[j - 1]) < weight(order[j]); j--) std::swap(order[j - 1], order[j]);
  }
  for (int k = 0; k < rank; k++) {
    int d = order[k];
    bool merges = !loop.sizes.empty();
    int i = 0;
    for (const Dims& s : strides) merges = merges && loop.strides[i++].back() == s[d] * sizes[d];
    i = 0;
    if (merges) {
      int last = loop.sizes.size() - 1;
      loop.sizes[last] *= sizes[d];
      for (const Dims& s : strides) loop.strides[i++][last] = s[d];
    } else {
      loop.sizes.push_back(sizes[d]);
      for (const Dims& s : strides) loop.strides[i++].push_back(s[d]);
    }
  }
  if (loop.sizes.empty()) {
    loop.sizes.push_back(1);
    for (int i = 0; i < loop.operands; i++) loop.strides[i].push_back(1);
  }
  loop.inner = loop.sizes.back();
  for (int d = 0; d + 1 < loop.sizes.size(); d++) loop.rows *= loop.sizes[d];
  return loop;
}

}  // namespace ingot
