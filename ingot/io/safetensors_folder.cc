#include "ingot/io/safetensors_folder.h"

#include <simdjson.h>

#include <algorithm>
#include <filesystem>

#include "ingot/base/error.h"
#include "ingot/io/mapped_file.h"

namespace ingot {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLargestIndex = 100'000'000;
constexpr size_t kNamesShown = 8;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// A shard is named relative to the folder and stays in it. Symbolic links are followed: download caches are made of
// them.
bool stays_inside(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) return false;
  fs::path path(name);
  if (path.is_absolute() || !path.has_filename()) return false;
  return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < kNamesShown; i++)
    text += cat(i > 0 ? ", " : "", ingot::quoted(names[i], 200));
  if (names.size() > kNamesShown) text += cat(" and ", names.size() - kNamesShown, " more");
  return text;
}

// weight_map of an index: tensor name -> file name, names checked.
std::map<std::string, std::string> read_weight_map(const std::string& path) {
  std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  auto fail_index = [&](std::string_view message) { fail(ErrorKind::kFormat, path, message); };
  if (file->size() > kLargestIndex) fail_index(cat("expected at most ", kLargestIndex, " bytes, got ", file->size()));
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const char* text = reinterpret_cast<const char*>(file->bytes().data());
  if (file->size() == 0) fail_index("the file is empty");
  if (simdjson::error_code code = parser.parse(text, file->size()).get(root)) {
    fail_index(cat("not valid JSON: ", simdjson::error_message(code)));
  }
  simdjson::dom::object map;
  if (root["weight_map"].get(map)) fail_index("weight_map: expected an object of file names");
  std::map<std::string, std::string> result;
  for (simdjson::dom::key_value_pair field : map) {
    std::string_view shard;
    if (field.value.get(shard)) fail_index(cat("weight_map: ", ingot::quoted(field.key), ": expected a file name"));
    if (!stays_inside(shard)) {
      fail_index(cat("weight_map: ", ingot::quoted(field.key), ": ", ingot::quoted(shard),
                     " is not a file inside the folder"));
    }
    if (!result.emplace(field.key, shard).second)
      fail_index(cat("weight_map: duplicate name ", ingot::quoted(field.key)));
  }
  return result;
}

[[noreturn]] void fail_nothing_found(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> others;
  fs::directory_iterator it(folder, error), end;
  if (error) fail(ErrorKind::kIo, folder, cat("cannot read the folder: ", error.message()));
  for (; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".safetensors") others.push_back(it->path().filename().string());
  }
  std::sort(others.begin(), others.end());
  fail(ErrorKind::kIo, folder,
       cat("expected model.safetensors, diffusion_pytorch_model.safetensors or an index of either, found none of them",
           others.empty() ? "" : cat("; there are ", joined(others))));
}

}  // namespace

SafetensorsFolder SafetensorsFolder::open(const std::string& folder) {
  SafetensorsFolder result;
  result.path_ = folder;
  for (const char* stem : {"model", "diffusion_pytorch_model"}) {
    fs::path single = fs::path(folder) / cat(stem, ".safetensors");
    fs::path index = fs::path(folder) / cat(stem, ".safetensors.index.json");
    if (is_file(single)) {
      result.add_single(single.string());
      return result;
    }
    if (is_file(index)) {
      result.add_index(index.string());
      return result;
    }
  }
  fail_nothing_found(folder);
}

void SafetensorsFolder::add_single(const std::string& file) {
  files_.push_back(SafetensorsFile::open(file));
  for (const SafetensorsTensor& t : files_.back().tensors()) places_.emplace(t.name, Place{0, &t});
}

void SafetensorsFolder::add_index(const std::string& index_file) {
  std::map<std::string, std::string> weight_map = read_weight_map(index_file);
  std::map<std::string, size_t> shards;
  for (const auto& [name, shard] : weight_map) shards.emplace(shard, 0);

  std::vector<std::string> missing;
  for (const auto& [shard, number] : shards) {
    if (!is_file(fs::path(path_) / shard)) missing.push_back(shard);
  }
  if (!missing.empty()) {
    fail(ErrorKind::kIo, path_,
         cat("missing ", missing.size(), " of the ", shards.size(), " files that ",
             fs::path(index_file).filename().string(), " names: ", joined(missing)));
  }
  for (auto& [shard, number] : shards) {
    number = files_.size();
    files_.push_back(SafetensorsFile::open((fs::path(path_) / shard).string()));
  }

  std::vector<std::string> absent;
  for (const auto& [name, shard] : weight_map) {
    size_t number = shards.at(shard);
    const SafetensorsTensor* t = files_[number].find(name);
    if (t == nullptr) {
      absent.push_back(name);
    } else {
      places_.emplace(name, Place{number, t});
    }
  }
  if (!absent.empty()) {
    fail(ErrorKind::kFormat, index_file,
         cat("stale index: ", absent.size(), " of its ", weight_map.size(),
             " tensors are not in the files it gives, such as ", ingot::quoted(absent[0]), " in ",
             ingot::quoted(weight_map.at(absent[0]))));
  }
}

std::vector<std::string> SafetensorsFolder::names() const {
  std::vector<std::string> all;
  for (const auto& [name, place] : places_) all.push_back(name);
  return all;
}

const SafetensorsTensor* SafetensorsFolder::find(std::string_view name) const {
  auto it = places_.find(name);
  return it == places_.end() ? nullptr : it->second.second;
}

const SafetensorsFolder::Place& SafetensorsFolder::place_of(std::string_view name) const {
  auto it = places_.find(name);
  if (it == places_.end()) fail(ErrorKind::kArgument, path_, cat("no tensor is named ", ingot::quoted(name)));
  return it->second;
}

const SafetensorsTensor& SafetensorsFolder::get(std::string_view name) const { return *place_of(name).second; }
const SafetensorsFile& SafetensorsFolder::file_of(std::string_view name) const { return files_[place_of(name).first]; }

}  // namespace ingot
