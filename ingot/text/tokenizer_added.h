// Added tokens: texts that are found before the text is normalised and cut, and become one id each.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::tok {

struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool single_word = false;  // not where a word character touches it
  bool lstrip = false;       // takes the white space before it along
  bool rstrip = false;       // and after it
  bool normalized = true;    // looked for in the normalised text, in its normalised form
  bool special = false;
};

struct Segment {
  int32_t id;  // of the added token, or -1: text between them
  size_t begin, end;
};

// Finds a set of added tokens: the leftmost, and there the longest.
class AddedTokenFinder {
 public:
  // `content` is what is looked for; an empty one is left out. The first of two equal ones wins.
  void add(const AddedToken& token, std::string_view content);
  bool empty() const { return nodes_.size() == 1; }

  // Cuts a valid UTF-8 text. `marks` is empty or has a byte for each of the text's: no token overlaps a byte marked
  // '\1', nor takes white space that is marked.
  std::vector<Segment> cut(std::string_view text, std::string_view marks) const;

 private:
  struct Node {
    std::vector<std::pair<unsigned char, uint32_t>> next;  // sorted by byte
    int32_t token = -1;
  };
  struct Match {
    int32_t token = -1;  // index into tokens_
    size_t end = 0;
  };
  uint32_t step(uint32_t node, unsigned char byte) const;  // 0: none
  Match longest_at(std::string_view text, std::string_view marks, size_t at) const;

  std::vector<Node> nodes_{Node{}};
  std::array<uint32_t, 256> first_{};  // the root's steps
  std::vector<AddedToken> tokens_;
};

}  // namespace ingot::tok
