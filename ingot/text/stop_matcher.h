// Stop strings in streamed text. A stop string may begin in one token and end in another; no byte of one is ever given
// out, and nothing is held back that cannot become one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"

namespace ingot {

class INGOT_API StopMatcher {
 public:
  struct Emit {
    std::string text;      // may be shown
    bool stopped = false;  // a stop string was found; `text` ends before it
  };

  // Error (kArgument) for an empty stop string. None at all: everything passes.
  explicit StopMatcher(std::vector<std::string> stops);

  // The stop string whose last byte comes first wins (the longest of those that end together), so the cut does not
  // depend on how the text was divided. Once stopped, all further text is swallowed.
  Emit push(std::string_view text);
  // The text held back, when the stream ends without a stop string.
  std::string finish();

  bool stopped() const { return stopped_; }
  const std::string& matched() const { return matched_; }  // the stop string found, or empty

 private:
  struct Stop {
    std::string text;
    std::vector<size_t> fallback;  // Knuth-Morris-Pratt: where to go on after a mismatch
    size_t matched = 0;            // bytes of `text` that end what has come so far
    void advance(char c);
  };
  std::vector<Stop> stops_;
  std::string held_;
  std::string matched_;
  bool stopped_ = false;
};

}  // namespace ingot
