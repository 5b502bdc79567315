#include "ingot/text/stop_matcher.h"

#include <algorithm>
#include <utility>

#include "ingot/base/error.h"

namespace ingot {

void StopMatcher::Stop::advance(char c) {
  while (matched > 0 && text[matched] != c) matched = fallback[matched - 1];
  if (text[matched] == c) matched++;
}

StopMatcher::StopMatcher(std::vector<std::string> stops) {
  for (std::string& text : stops) {
    if (text.empty()) fail_argument("stop strings", cat("stop[", stops_.size(), "]"), "a text", "an empty one");
    Stop stop;
    stop.text = std::move(text);
    stop.fallback.assign(stop.text.size(), 0);
    for (size_t i = 1; i < stop.text.size(); i++) {
      stop.advance(stop.text[i]);
      stop.fallback[i] = stop.matched;
    }
    stop.matched = 0;
    stops_.push_back(std::move(stop));
  }
}

StopMatcher::Emit StopMatcher::push(std::string_view text) {
  if (stopped_) return {"", true};
  for (char c : text) {
    held_ += c;
    const Stop* found = nullptr;
    for (Stop& stop : stops_) {
      stop.advance(c);
      bool complete = stop.matched == stop.text.size();
      if (complete && (!found || stop.text.size() > found->text.size())) found = &stop;
    }
    if (found) {
      stopped_ = true;
      matched_ = found->text;
      held_.resize(held_.size() - matched_.size());
      return {std::exchange(held_, {}), true};
    }
  }
  size_t kept = 0;
  for (const Stop& stop : stops_) kept = std::max(kept, stop.matched);
  std::string given = held_.substr(0, held_.size() - kept);
  held_.erase(0, held_.size() - kept);
  return {std::move(given), false};
}

std::string StopMatcher::finish() { return stopped_ ? std::string() : std::exchange(held_, {}); }

}  // namespace ingot
