#include "ingot/text/tokenizer_added.h"

#include <algorithm>

#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

void AddedTokenFinder::add(const AddedToken& token, std::string_view content) {
  if (content.empty()) return;
  uint32_t node = 0;
  for (char c : content) {
    auto byte = static_cast<unsigned char>(c);
    uint32_t next = step(node, byte);
    if (next == 0) {
      next = static_cast<uint32_t>(nodes_.size());
      nodes_.emplace_back();
      auto& edges = nodes_[node].next;
      edges.insert(std::lower_bound(edges.begin(), edges.end(), std::pair(byte, uint32_t{0})), {byte, next});
      if (node == 0) first_[byte] = next;
    }
    node = next;
  }
  if (nodes_[node].token >= 0) return;
  nodes_[node].token = static_cast<int32_t>(tokens_.size());
  tokens_.push_back(token);
}

uint32_t AddedTokenFinder::step(uint32_t node, unsigned char byte) const {
  if (node == 0) return first_[byte];
  const auto& edges = nodes_[node].next;
  auto it = std::lower_bound(edges.begin(), edges.end(), std::pair(byte, uint32_t{0}));
  return it != edges.end() && it->first == byte ? it->second : 0;
}

AddedTokenFinder::Match AddedTokenFinder::longest_at(std::string_view text, std::string_view marks, size_t at) const {
  Match best;
  uint32_t node = 0;
  for (size_t i = at; i < text.size(); i++) {
    if (!marks.empty() && marks[i]) break;
    node = step(node, static_cast<unsigned char>(text[i]));
    if (node == 0) break;
    if (nodes_[node].token >= 0) best = {nodes_[node].token, i + 1};
  }
  return best;
}

std::vector<Segment> AddedTokenFinder::cut(std::string_view text, std::string_view marks) const {
  std::vector<Segment> segments;
  auto marked = [&](size_t i, size_t n) {
    return !marks.empty() && marks.substr(i, n).find('\1') != std::string_view::npos;
  };
  size_t done = 0;                        // the end of the last token
  size_t space_begin = 1, space_end = 0;  // the white space that was last looked through
  for (size_t at = 0; at < text.size();) {
    if (first_[static_cast<unsigned char>(text[at])] == 0) {
      at++;
      continue;
    }
    Match match = longest_at(text, marks, at);
    if (match.token < 0) {
      at++;
      continue;
    }
    const AddedToken& token = tokens_[static_cast<size_t>(match.token)];
    size_t begin = at, end = match.end;
    at = match.end;
    if (token.single_word) {
      bool before = begin > 0 && is_word(character_at(text, character_start_before(text, begin)).code);
      bool after = end < text.size() && is_word(character_at(text, end).code);
      if (before || after) continue;
    }
    while (token.lstrip && begin > done) {
      size_t start = character_start_before(text, begin);
      if (marked(start, begin - start) || !is_white_space(character_at(text, start).code)) break;
      begin = start;
    }
    if (token.rstrip) {
      if (end < space_begin || end > space_end) {
        space_begin = space_end = end;
        while (space_end < text.size()) {
          Character c = character_at(text, space_end);
          if (marked(space_end, c.length) || !is_white_space(c.code)) break;
          space_end += c.length;
        }
      }
      end = space_end;
    }
    // As the reference does: a token of white space inside what the token before took along counts again, unless it
    // would take the white space before it and nothing is left of it.
    if (token.lstrip) begin = std::max(begin, done);
    if (done < begin) segments.push_back({-1, done, begin});
    if (begin < end) segments.push_back({token.id, begin, end});
    done = end;
  }
  if (done < text.size()) segments.push_back({-1, done, text.size()});
  return segments;
}

}  // namespace ingot::tok
