// Kernel text put together from several files, with the way back from each byte to the file and line it came from.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/msl/diagnostic.h"

namespace ingot::msl {

class SourceText {
 public:
  // Bytes [begin, end) are a file that was included (with its #line directive).
  struct Included {
    std::string file;
    size_t begin;
    size_t end;
  };

  // Appends bytes that stand in `file` from `line` on.
  void append(std::string_view file, int line, std::string_view bytes);
  // Appends `#line line "file"`, so that a compiler names that place for what follows.
  void append_line_directive(std::string_view file, int line);

  size_t begin_included(std::string_view file);
  void end_included(size_t index);

  const std::string& text() const { return text_; }
  const std::vector<Included>& included() const { return included_; }
  // offset may be text().size(). Logarithmic in the number of lines.
  Place at(size_t offset) const;

 private:
  struct Segment {
    size_t begin;
    size_t file;  // in files_
    int line;
  };

  size_t line_index(size_t offset) const;

  std::string text_;
  std::vector<std::string> files_;
  std::vector<Segment> segments_;
  std::vector<size_t> newlines_;
  std::vector<Included> included_;
};

}  // namespace ingot::msl
