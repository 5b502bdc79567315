#include "ingot/text/bpe.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "ingot/text/tokenizer_unicode.h"

namespace ingot::tok {

namespace {
constexpr uint64_t kFree = ~uint64_t{0};
constexpr size_t kLongPiece = 64;
uint64_t key_of(int32_t left, int32_t right) {
  return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
}
}  // namespace

void MergeTable::reserve(size_t count) {
  int bits = 4;
  while ((size_t{1} << bits) < count * 2 + 2) bits++;
  shift_ = 64 - bits;
  slots_.assign(size_t{1} << bits, Slot{kFree, {}});
}

void MergeTable::insert(int32_t left, int32_t right, Merge merge) {
  uint64_t key = key_of(left, right);
  size_t i = place(key);
  while (slots_[i].key != kFree && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = {key, merge};
}

const MergeTable::Merge* MergeTable::find(int32_t left, int32_t right) const {
  if (slots_.empty()) return nullptr;
  uint64_t key = key_of(left, right);
  for (size_t i = place(key); slots_[i].key != kFree; i = (i + 1) & (slots_.size() - 1))
    if (slots_[i].key == key) return &slots_[i].merge;
  return nullptr;
}

void merge_by_scanning(const MergeTable& merges, std::vector<int32_t>& tokens) {
  constexpr MergeTable::Merge kNoMerge{std::numeric_limits<uint32_t>::max(), -1};
  std::array<MergeTable::Merge, kLongPiece> merge;  // of token i and the next
  size_t n = tokens.size();
  auto look_up = [&](size_t i) {
    const auto* found = merges.find(tokens[i], tokens[i + 1]);
    merge[i] = found ? *found : kNoMerge;
  };
  for (size_t i = 0; i + 1 < n; i++) look_up(i);
  while (n > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < n; i++)
      if (merge[i].rank < merge[best].rank) best = i;
    if (merge[best].token < 0) break;
    tokens[best] = merge[best].token;
    n--;
    for (size_t i = best + 1; i < n; i++) tokens[i] = tokens[i + 1];
    for (size_t i = best + 1; i + 1 < n; i++) merge[i] = merge[i + 1];
    if (best + 1 < n) look_up(best);
    if (best > 0) look_up(best - 1);
  }
  tokens.resize(n);
}

void merge_by_queue(const MergeTable& merges, std::vector<int32_t>& tokens) {
  auto n = static_cast<uint32_t>(tokens.size());
  std::vector<uint32_t> next(n), previous(n);
  // Rank above, place below: the smallest is the pair of lowest rank, leftmost on ties. A pair is stale if its rank is
  // no longer that of the tokens that stand there.
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> queue;
  auto offer = [&](uint32_t left, uint32_t right) {
    if (const auto* merge = merges.find(tokens[left], tokens[right])) queue.push(uint64_t{merge->rank} << 32 | left);
  };
  for (uint32_t i = 0; i < n; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;  // wraps for the first, which is never followed
    if (i + 1 < n) offer(i, i + 1);
  }
  while (!queue.empty()) {
    uint64_t top = queue.top();
    queue.pop();
    auto left = static_cast<uint32_t>(top);
    if (tokens[left] < 0 || next[left] >= n) continue;
    uint32_t right = next[left];
    const auto* merge = merges.find(tokens[left], tokens[right]);
    if (!merge || merge->rank != top >> 32) continue;
    tokens[left] = merge->token;
    tokens[right] = -1;  // gone
    next[left] = next[right];
    if (next[left] < n) {
      previous[next[left]] = left;
      offer(left, next[left]);
    }
    if (left > 0) offer(previous[left], left);
  }
  tokens.erase(std::remove(tokens.begin(), tokens.end(), -1), tokens.end());
}

Bpe::Bpe(Options options) : options_(options) {
  bytes_.fill(-1);
  fallback_.fill(-1);
}

void Bpe::first_tokens(std::string_view part, std::vector<int32_t>& tokens) const {
  bool unknown_last = false;
  auto unknown = [&] {
    if (!options_.unk) return;
    if (!(unknown_last && options_.fuse_unk)) tokens.push_back(*options_.unk);
    unknown_last = true;
  };
  if (options_.byte_level) {
    for (char c : part) {
      int32_t token = bytes_[static_cast<unsigned char>(c)];
      if (token < 0) {
        unknown();
      } else {
        tokens.push_back(token);
        unknown_last = false;
      }
    }
    return;
  }
  for (size_t i = 0; i < part.size();) {
    Character c = character_at(part, i);
    std::string_view bytes = part.substr(i, c.length);
    i += c.length;
    auto found = characters_.find(c.code);
    if (found != characters_.end()) {
      tokens.push_back(found->second);
      unknown_last = false;
      continue;
    }
    auto has_token = [&](char b) { return fallback_[static_cast<unsigned char>(b)] >= 0; };
    if (options_.byte_fallback && std::all_of(bytes.begin(), bytes.end(), has_token)) {
      for (char b : bytes) tokens.push_back(fallback_[static_cast<unsigned char>(b)]);
      unknown_last = false;
    } else {
      unknown();
    }
  }
}

void Bpe::set_stand_in(int32_t token, std::vector<int32_t> tokens) {
  if (stand_ins_.empty()) first_stand_in_ = token;
  stand_ins_.push_back(std::move(tokens));
}

void Bpe::append(const std::vector<int32_t>& tokens, std::vector<int32_t>& out) const {
  if (stand_ins_.empty()) {
    out.insert(out.end(), tokens.begin(), tokens.end());
    return;
  }
  for (int32_t token : tokens) {
    if (token < first_stand_in_) {
      out.push_back(token);
    } else {
      const std::vector<int32_t>& meant = stand_ins_[static_cast<size_t>(token - first_stand_in_)];
      out.insert(out.end(), meant.begin(), meant.end());
    }
  }
}

void Bpe::encode_part(std::string_view part, Cache& cache, std::vector<int32_t>& out) const {
  Cache::Entry* entry = cache.entry(part);
  if (entry && Cache::holds(*entry, part)) {
    out.insert(out.end(), entry->ids, entry->ids + entry->tokens);
    return;
  }
  std::vector<int32_t>& tokens = cache.scratch;
  tokens.clear();
  first_tokens(part, tokens);
  tokens.size() <= kLongPiece ? merge_by_scanning(merges_, tokens) : merge_by_queue(merges_, tokens);
  size_t first = out.size();
  append(tokens, out);
  if (entry) Cache::keep(*entry, part, out.data() + first, out.size() - first);
}

void Bpe::encode(std::string_view piece, Cache& cache, std::vector<int32_t>& out) const {
  if (!whole_.empty()) {
    if (auto found = whole_.find(piece); found != whole_.end()) {
      out.push_back(found->second);
      return;
    }
  }
  if (cuts_.mark.empty() && !cuts_.newlines) return encode_part(piece, cache, out);
  each_part(piece, cuts_, [&](std::string_view part) { encode_part(part, cache, out); });
}

}  // namespace ingot::tok
