#include "ingot/io/gguf_split.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "ingot/base/error.h"

namespace ingot {

namespace {

constexpr std::string_view kPattern = "-00001-of-00001.gguf";
constexpr size_t kNamesShown = 8;

std::string five_digits(uint64_t n) {
  std::string digits = cat(n);
  return digits.size() < 5 ? std::string(5 - digits.size(), '0') + digits : digits;
}

std::optional<uint64_t> parse_digits(std::string_view text) {
  uint64_t n = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

std::optional<GgufSplitName> parse_gguf_split_name(const std::string& path) {
  if (path.size() <= kPattern.size()) return std::nullopt;
  std::string_view tail = std::string_view(path).substr(path.size() - kPattern.size());
  if (tail[0] != '-' || tail.substr(6, 4) != "-of-" || tail.substr(15) != ".gguf") return std::nullopt;
  std::optional<uint64_t> number = parse_digits(tail.substr(1, 5)), count = parse_digits(tail.substr(10, 5));
  if (!number || !count || *number < 1 || *number > *count) return std::nullopt;
  return GgufSplitName{path.substr(0, path.size() - kPattern.size()), *number, *count};
}

std::string gguf_split_path(const GgufSplitName& name, uint64_t number) {
  return cat(name.prefix, "-", five_digits(number), "-of-", five_digits(name.count), ".gguf");
}

uint64_t gguf_split_count(const GgufPart& part, std::string_view label) {
  const GgufValue* count = part.find("split.count");
  // Some writers leave a 0 in files that are not split.
  return count == nullptr ? 1 : std::max<uint64_t>(1, count->as<uint64_t>(label, "split.count"));
}

std::vector<std::string> find_gguf_parts(const std::string& path, const GgufPart& part) {
  uint64_t count = gguf_split_count(part, path);
  std::optional<GgufSplitName> name = parse_gguf_split_name(path);
  if (!name) {
    fail(ErrorKind::kFormat, path,
         cat("this is one of ", count,
             " parts of a split model; the others are found by name, so it must be called like <name>-", five_digits(1),
             "-of-", five_digits(count), ".gguf"));
  }
  check_gguf_part(part, path, name->number, name->count);
  std::vector<std::string> paths, missing;
  for (uint64_t i = 1; i <= count; i++) {
    paths.push_back(gguf_split_path(*name, i));
    if (!is_file(paths.back())) missing.push_back(file_name(paths.back()));
  }
  if (!missing.empty()) {
    std::string names;
    for (size_t i = 0; i < missing.size() && i < kNamesShown; i++)
      names += cat(i > 0 ? ", " : "", quoted(missing[i], 200));
    if (missing.size() > kNamesShown) names += cat(" and ", missing.size() - kNamesShown, " more");
    fail(ErrorKind::kIo, path, cat("missing ", missing.size(), " of the ", count, " parts of this model: ", names));
  }
  return paths;
}

void check_gguf_part(const GgufPart& part, const std::string& path, uint64_t number, uint64_t count) {
  uint64_t own_count = gguf_split_count(part, path);
  if (own_count != count) {
    fail(ErrorKind::kFormat, path, cat("split.count: expected ", count, ", as the file name says, got ", own_count));
  }
  const GgufValue* own_number = part.find("split.no");
  if (own_number == nullptr) fail(ErrorKind::kFormat, path, "key \"split.no\" is missing from a part of a split model");
  uint64_t inside = own_number->as<uint64_t>(path, "split.no");
  if (inside != number - 1) {
    fail(ErrorKind::kFormat, path,
         cat("split.no: expected ", number - 1, " (counted from 0) for part ", number, ", as the file name says, got ",
             inside));
  }
}

}  // namespace ingot
