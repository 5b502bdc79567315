#include "ingot/io/gguf.h"

#include <map>

#include "ingot/base/error.h"
#include "ingot/io/ggml_types.h"
#include "ingot/io/gguf_part.h"
#include "ingot/io/gguf_split.h"
#include "ingot/io/mapped_file.h"

namespace ingot {

struct GgufFile::State {
  std::string label;
  std::shared_ptr<const void> owner;
  GgufPart part;  // the first one's keys, the tensors of all
  std::map<std::string_view, size_t> by_name;

  void index_tensors();
};

void GgufFile::State::index_tensors() {
  for (size_t i = 0; i < part.tensors.size(); i++) {
    if (!by_name.emplace(part.tensors[i].name, i).second) {
      fail(ErrorKind::kFormat, label, cat("tensor ", quoted(part.tensors[i].name), " is in more than one part"));
    }
  }
}

WeightFormat GgufTensor::require_format() const {
  if (format.has_value()) return *format;
  fail(ErrorKind::kUnsupported, "gguf",
       cat("tensor ", quoted(name), " has the type ", ggml_type_name(ggml_type), ", which Ingot cannot read"));
}

GgufFile GgufFile::from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string label) {
  auto state = std::make_shared<State>();
  state->label = std::move(label);
  state->owner = std::move(owner);
  state->part = parse_gguf_part(bytes, state->label);
  if (uint64_t count = gguf_split_count(state->part, state->label); count > 1) {
    fail(ErrorKind::kUnsupported, state->label,
         cat("this is one of ", count, " parts of a split model: open it by its file name"));
  }
  state->index_tensors();
  GgufFile file;
  file.state_ = std::move(state);
  return file;
}

GgufFile GgufFile::open(const std::string& path) {
  std::shared_ptr<const MappedFile> opened = MappedFile::open(path);
  GgufPart given = parse_gguf_part(opened->bytes(), path);
  auto state = std::make_shared<State>();
  state->label = path;
  if (gguf_split_count(given, path) == 1) {
    state->owner = opened;
    state->part = std::move(given);
  } else {
    std::vector<std::string> paths = find_gguf_parts(path, given);
    state->label = paths[0];
    auto mappings = std::make_shared<std::vector<std::shared_ptr<const MappedFile>>>();
    for (size_t i = 0; i < paths.size(); i++) {
      mappings->push_back(MappedFile::open(paths[i]));
      GgufPart part = parse_gguf_part(mappings->back()->bytes(), paths[i]);
      check_gguf_part(part, paths[i], i + 1, paths.size());
      if (i == 0) {
        state->part = std::move(part);
      } else {
        for (GgufTensor& t : part.tensors) state->part.tensors.push_back(std::move(t));
      }
    }
    state->owner = mappings;
    const GgufValue* total = state->part.find("split.tensors.count");
    if (total != nullptr) {
      uint64_t expected = total->as<uint64_t>(state->label, "split.tensors.count");
      if (expected != state->part.tensors.size()) {
        fail(ErrorKind::kFormat, state->label,
             cat("split.tensors.count: expected ", expected, " tensors, got ", state->part.tensors.size(),
                 " in all parts"));
      }
    }
  }
  state->index_tensors();
  GgufFile file;
  file.state_ = std::move(state);
  return file;
}

const std::string& GgufFile::label() const { return state_->label; }
uint32_t GgufFile::version() const { return state_->part.version; }
const std::vector<GgufTensor>& GgufFile::tensors() const { return state_->part.tensors; }
const std::shared_ptr<const void>& GgufFile::owner() const { return state_->owner; }
const GgufValue* GgufFile::find_value(std::string_view key) const { return state_->part.find(key); }

std::vector<std::string> GgufFile::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : state_->part.keys) all.emplace_back(key);
  return all;
}

const GgufValue& GgufFile::require_value(std::string_view key) const {
  if (const GgufValue* v = find_value(key)) return *v;
  fail(ErrorKind::kFormat, state_->label, cat("key ", quoted(key), " is missing"));
}

const GgufTensor* GgufFile::find_tensor(std::string_view name) const {
  auto it = state_->by_name.find(name);
  return it == state_->by_name.end() ? nullptr : &state_->part.tensors[it->second];
}

const GgufTensor& GgufFile::get_tensor(std::string_view name) const {
  if (const GgufTensor* t = find_tensor(name)) return *t;
  fail(ErrorKind::kArgument, state_->label, cat("no tensor is named ", quoted(name)));
}

}  // namespace ingot
