#include "ingot/msl/source_text.h"

#include <algorithm>

#include "ingot/base/strings.h"

namespace ingot::msl {

void SourceText::append(std::string_view file, int line, std::string_view bytes) {
  auto known = std::find(files_.begin(), files_.end(), file);
  size_t index = static_cast<size_t>(known - files_.begin());
  if (known == files_.end()) files_.emplace_back(file);
  segments_.push_back({text_.size(), index, line});
  for (size_t i = 0; i < bytes.size(); i++) {
    if (bytes[i] == '\n') newlines_.push_back(text_.size() + i);
  }
  text_ += bytes;
}

void SourceText::append_line_directive(std::string_view file, int line) {
  append(file, line, cat("#line ", line, " \"", file, "\"\n"));
}

size_t SourceText::begin_included(std::string_view file) {
  included_.push_back({std::string(file), text_.size(), text_.size()});
  return included_.size() - 1;
}

void SourceText::end_included(size_t index) { included_[index].end = text_.size(); }

size_t SourceText::line_index(size_t offset) const {
  return static_cast<size_t>(std::lower_bound(newlines_.begin(), newlines_.end(), offset) - newlines_.begin());
}

Place SourceText::at(size_t offset) const {
  auto after = std::upper_bound(segments_.begin(), segments_.end(), offset,
                                [](size_t value, const Segment& segment) { return value < segment.begin; });
  if (after == segments_.begin()) return {files_.empty() ? std::string() : files_.front(), 1};
  const Segment& segment = *(after - 1);
  return {files_[segment.file], segment.line + static_cast<int>(line_index(offset) - line_index(segment.begin))};
}

}  // namespace ingot::msl
