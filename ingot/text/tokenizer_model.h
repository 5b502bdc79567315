// What turns a piece of text into tokens.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::tok {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// Short pieces met before in the same text, and scratch memory. A fixed size; one for each call of encode, never
// shared.
class Cache {
 public:
  struct Entry {
    static constexpr size_t kMaxBytes = 22, kMaxTokens = 6;
    uint8_t bytes = 0, tokens = 0;
    char text[kMaxBytes];
    int32_t ids[kMaxTokens];
  };

  // `expected_bytes`: of the whole text; short ones get no table.
  explicit Cache(size_t expected_bytes) {
    if (expected_bytes >= 2048) entries_ = std::make_unique<Entry[]>(kEntries);
  }
  // The entry where the piece is or may be kept; null if it is not to be kept.
  Entry* entry(std::string_view piece) {
    if (!entries_ || piece.size() > Entry::kMaxBytes) return nullptr;
    return &entries_[std::hash<std::string_view>{}(piece) % kEntries];
  }
  static bool holds(const Entry& entry, std::string_view piece) {
    return entry.bytes == piece.size() && entry.tokens > 0 && std::memcmp(entry.text, piece.data(), piece.size()) == 0;
  }
  static void keep(Entry& entry, std::string_view piece, const int32_t* ids, size_t count) {
    if (count == 0 || count > Entry::kMaxTokens) return;
    entry.bytes = static_cast<uint8_t>(piece.size());
    entry.tokens = static_cast<uint8_t>(count);
    std::memcpy(entry.text, piece.data(), piece.size());
    std::memcpy(entry.ids, ids, count * sizeof *ids);
  }

  std::vector<int32_t> scratch;

 private:
  static constexpr size_t kEntries = 4096;
  std::unique_ptr<Entry[]> entries_;
};

// Where a text may be cut because no merge reaches across; short parts are merged faster and met again.
struct Cuts {
  std::string mark;       // before each of these that follows another character, if not empty
  bool newlines = false;  // before and after each line feed
};

// Calls on_part(part) for each part of a text.
template <class OnPart>
void each_part(std::string_view text, const Cuts& cuts, OnPart&& on_part) {
  size_t begin = 0;
  auto cut = [&](size_t at) {
    if (begin < at) on_part(text.substr(begin, at - begin));
    begin = at;
  };
  bool in_marks = true;  // all since `begin` is marks
  for (size_t i = 0; i < text.size();) {
    if (cuts.newlines && text[i] == '\n') {
      cut(i);
      cut(++i);
      in_marks = true;
      continue;
    }
    bool is_mark = !cuts.mark.empty() && text[i] == cuts.mark[0] && text.substr(i).starts_with(cuts.mark);
    if (is_mark && !in_marks) cut(i);
    in_marks = is_mark;
    i += is_mark ? cuts.mark.size() : 1;
  }
  cut(text.size());
}

class Model {
 public:
  virtual ~Model() = default;
  // Appends the tokens of a piece (not empty; valid UTF-8).
  virtual void encode(std::string_view piece, Cache& cache, std::vector<int32_t>& out) const = 0;
};

}  // namespace ingot::tok
