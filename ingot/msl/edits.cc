#include "ingot/msl/edits.h"

#include <algorithm>
#include <tuple>

namespace ingot::msl {

std::string Edits::apply(std::string_view text) const {
  std::vector<const Edit*> order;
  for (const Edit& edit : edits_) order.push_back(&edit);
  // What is put in stands before what is replaced there; of two replacements the longer one holds.
  std::stable_sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    return std::make_tuple(a->begin, a->end != a->begin, b->end) <
           std::make_tuple(b->begin, b->end != b->begin, a->end);
  });
  std::string result;
  size_t done = 0;
  for (const Edit* edit : order) {
    if (edit->begin < done) continue;
    result += text.substr(done, edit->begin - done);
    result += edit->text;
    const std::string_view replaced = text.substr(edit->begin, edit->end - edit->begin);
    const auto lost =
        std::count(replaced.begin(), replaced.end(), '\n') - std::count(edit->text.begin(), edit->text.end(), '\n');
    if (lost > 0) result.append(static_cast<size_t>(lost), '\n');
    done = edit->end;
  }
  result += text.substr(done);
  return result;
}

}  // namespace ingot::msl
