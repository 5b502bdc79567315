#include "ingot/text/tokenizer_spm.h"

#include <queue>

#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {

struct Symbol {
  uint32_t begin, size;  // bytes; size 0: merged away
  uint32_t previous, next;
};
struct Candidate {
  float score;
  uint32_t left, size;  // size of both symbols together when the candidate was made
  // For std::priority_queue, whose top is the greatest.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score < b.score : a.left > b.left;
  }
};

}  // namespace

void Spm::encode_part(std::string_view part, Cache& cache, std::vector<int32_t>& out) const {
  Cache::Entry* entry = cache.entry(part);
  if (entry && Cache::holds(*entry, part)) {
    out.insert(out.end(), entry->ids, entry->ids + entry->tokens);
    return;
  }
  std::vector<Symbol> symbols;
  for (size_t i = 0; i < part.size();) {
    auto size = static_cast<uint32_t>(character_at(part, i).length);
    auto n = static_cast<uint32_t>(symbols.size());
    symbols.push_back({static_cast<uint32_t>(i), size, n - 1, n + 1});
    i += size;
  }
  std::priority_queue<Candidate> queue;
  auto offer = [&](uint32_t left) {
    const Symbol& a = symbols[left];
    uint32_t size = a.size + symbols[a.next].size;
    if (const Token* token = find(part.substr(a.begin, size))) queue.push({token->score, left, size});
  };
  for (uint32_t i = 0; i + 1 < symbols.size(); i++) offer(i);
  while (!queue.empty()) {
    Candidate best = queue.top();
    queue.pop();
    Symbol& a = symbols[best.left];
    if (a.size == 0 || a.next >= symbols.size() || a.size + symbols[a.next].size != best.size) continue;
    Symbol& b = symbols[a.next];
    a.size += b.size;
    b.size = 0;
    a.next = b.next;
    if (a.next < symbols.size()) {
      symbols[a.next].previous = best.left;
      offer(best.left);
    }
    if (best.left > 0) offer(a.previous);
  }
  size_t first = out.size();
  for (const Symbol& s : symbols) {
    if (s.size == 0) continue;
    std::string_view text = part.substr(s.begin, s.size);
    if (const Token* token = find(text)) {
      out.push_back(token->id);
      continue;
    }
    for (char c : text) {
      int32_t byte = bytes_[static_cast<unsigned char>(c)];
      if (byte >= 0) {
        out.push_back(byte);
      } else if (unk_) {
        out.push_back(*unk_);
        break;  // one for the character
      }
    }
  }
  if (entry) Cache::keep(*entry, part, out.data() + first, out.size() - first);
}

void Spm::encode(std::string_view piece, Cache& cache, std::vector<int32_t>& out) const {
  if (cut_before_.empty()) return encode_part(piece, cache, out);
  each_part(piece, cut_before_, [&](std::string_view part) { encode_part(part, cache, out); });
}

}  // namespace ingot::tok
