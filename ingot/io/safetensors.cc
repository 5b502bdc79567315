#include "ingot/io/safetensors.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "ingot/base/error.h"
#include "ingot/io/mapped_file.h"
#include "ingot/io/safetensors_dtypes.h"

namespace ingot {

namespace json = simdjson::dom;

constexpr uint64_t kLargestHeader = 100'000'000;
constexpr uint64_t kLargestNumber = uint64_t{1} << 63;

struct SafetensorsFile::State {
  std::string label;
  std::shared_ptr<const void> owner;
  std::vector<SafetensorsTensor> tensors;
  std::map<std::string_view, size_t> by_name;
  std::map<std::string, std::string> metadata;
};

namespace {

// A tensor of the header with its byte range, before the ranges are laid side by side.
struct Entry {
  SafetensorsTensor tensor;
  uint64_t begin = 0, end = 0;
};

class HeaderParser {
 public:
  HeaderParser(std::span<const std::byte> file, std::string_view label) : file_(file), label_(label) {}

  void parse(std::vector<SafetensorsTensor>& tensors, std::map<std::string, std::string>& metadata);

 private:
  [[noreturn]] void fail_format(std::string_view message) const { fail(ErrorKind::kFormat, label_, message); }
  [[noreturn]] void fail_tensor(std::string_view name, std::string_view message) const {
    fail_format(cat("tensor ", ingot::quoted(name), ": ", message));
  }

  uint64_t header_length() const;
  void parse_metadata(json::element value, std::map<std::string, std::string>& metadata) const;
  Entry parse_entry(std::string_view name, json::element value) const;
  uint64_t parse_number(std::string_view name, std::string_view what, json::element value) const;
  void check_size(const Entry& entry) const;
  void check_layout(const std::vector<Entry>& entries) const;

  std::span<const std::byte> file_, data_;
  std::string_view label_;
};

uint64_t HeaderParser::header_length() const {
  if (file_.size() < 8) fail_format(cat("not a safetensors file: expected at least 8 bytes, got ", file_.size()));
  uint64_t length;
  memcpy(&length, file_.data(), 8);
  if (length > kLargestHeader) {
    fail_format(
        cat("header length: expected at most ", kLargestHeader, ", got ", length, " (is this a safetensors file?)"));
  }
  if (length > file_.size() - 8) {
    fail_format(
        cat("header length is ", length, " but only ", file_.size() - 8, " bytes follow (is the file cut short?)"));
  }
  return length;
}

void HeaderParser::parse(std::vector<SafetensorsTensor>& tensors, std::map<std::string, std::string>& metadata) {
  uint64_t length = header_length();
  data_ = file_.subspan(8 + length);
  const char* text = reinterpret_cast<const char*>(file_.data()) + 8;
  if (length == 0 || text[0] != '{') fail_format("header: expected JSON that starts with '{'");

  json::parser parser;
  json::element root;
  if (simdjson::error_code code = parser.parse(text, length).get(root)) {
    fail_format(cat("header is not valid JSON: ", simdjson::error_message(code)));
  }
  json::object object;
  if (root.get(object)) fail_format("header: expected a JSON object");

  std::vector<Entry> entries;
  std::set<std::string_view> names;
  for (json::key_value_pair field : object) {
    if (!names.insert(field.key).second) fail_format(cat("duplicate name ", ingot::quoted(field.key)));
    if (field.key == "__metadata__") {
      parse_metadata(field.value, metadata);
    } else {
      entries.push_back(parse_entry(field.key, field.value));
    }
  }
  // The end matters: of two tensors that begin at one byte, the empty one comes first.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
  });
  check_layout(entries);
  tensors.reserve(entries.size());
  for (Entry& entry : entries) {
    entry.tensor.data = data_.data() + entry.begin;
    tensors.push_back(std::move(entry.tensor));
  }
}

void HeaderParser::parse_metadata(json::element value, std::map<std::string, std::string>& metadata) const {
  json::object object;
  if (value.get(object)) fail_format("__metadata__: expected an object of strings");
  for (json::key_value_pair field : object) {
    std::string_view text;
    if (field.value.get(text)) fail_format(cat("__metadata__: ", ingot::quoted(field.key), ": expected a string"));
    if (!metadata.emplace(field.key, text).second)
      fail_format(cat("__metadata__: duplicate key ", ingot::quoted(field.key)));
  }
}

uint64_t HeaderParser::parse_number(std::string_view name, std::string_view what, json::element value) const {
  uint64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS && number <= kLargestNumber) return number;
  int64_t negative = 0;
  std::string got = value.get(negative) == simdjson::SUCCESS && negative < 0 ? cat(", got ", negative) : "";
  fail_tensor(name, cat(what, ": expected a whole number from 0 to 2^63", got));
}

Entry HeaderParser::parse_entry(std::string_view name, json::element value) const {
  Entry entry;
  entry.tensor.name = name;
  json::object object;
  if (value.get(object)) fail_tensor(name, "expected an object with dtype, shape and data_offsets");
  bool has_dtype = false, has_shape = false, has_offsets = false;
  auto first = [&](bool& seen, std::string_view key) {
    if (seen) fail_tensor(name, cat("duplicate field ", ingot::quoted(key)));
    seen = true;
  };
  for (json::key_value_pair field : object) {
    if (field.key == "dtype") {
      first(has_dtype, field.key);
      std::string_view text;
      if (field.value.get(text)) fail_tensor(name, "dtype: expected a string");
      entry.tensor.dtype_name = text;
    } else if (field.key == "shape") {
      first(has_shape, field.key);
      json::array sizes;
      if (field.value.get(sizes)) fail_tensor(name, "shape: expected an array");
      for (json::element size : sizes) {
        uint64_t number = parse_number(name, "shape", size);
        if (number == kLargestNumber) fail_tensor(name, "shape: sizes of 2^63 are not supported");
        entry.tensor.shape.push_back(static_cast<int64_t>(number));
      }
    } else if (field.key == "data_offsets") {
      first(has_offsets, field.key);
      json::array offsets;
      if (field.value.get(offsets)) fail_tensor(name, "data_offsets: expected an array");
      if (offsets.size() != 2) fail_tensor(name, cat("data_offsets: expected 2 numbers, got ", offsets.size()));
      entry.begin = parse_number(name, "data_offsets", offsets.at(0).value_unsafe());
      entry.end = parse_number(name, "data_offsets", offsets.at(1).value_unsafe());
    }
  }
  if (!has_dtype) fail_tensor(name, "dtype is missing");
  if (!has_shape) fail_tensor(name, "shape is missing");
  if (!has_offsets) fail_tensor(name, "data_offsets is missing");
  check_size(entry);
  entry.tensor.nbytes = entry.end - entry.begin;
  if (const SafetensorsDType* known = find_safetensors_dtype(entry.tensor.dtype_name))
    entry.tensor.dtype = known->dtype;
  return entry;
}

void HeaderParser::check_size(const Entry& entry) const {
  const SafetensorsTensor& t = entry.tensor;
  if (entry.begin > entry.end) {
    fail_tensor(t.name, cat("data_offsets [", entry.begin, ", ", entry.end, "]: the end lies before the beginning"));
  }
  if (entry.end > data_.size()) {
    fail_tensor(t.name,
                cat("data_offsets [", entry.begin, ", ", entry.end, "] reach past the end of the data, which has ",
                    data_.size(), " bytes (is the file cut short?)"));
  }
  const SafetensorsDType* type = find_safetensors_dtype(t.dtype_name);
  if (type == nullptr) return;  // no size to check against; reading this tensor is the error
  uint64_t bits = static_cast<uint64_t>(type->bits);
  for (int64_t size : t.shape) {
    if (__builtin_mul_overflow(bits, static_cast<uint64_t>(size), &bits)) {
      fail_tensor(t.name, cat("the size of shape ", std::span<const int64_t>(t.shape), " overflows"));
    }
  }
  if (bits % 8 != 0) {
    fail_tensor(t.name,
                cat("shape ", std::span<const int64_t>(t.shape), " of ", t.dtype_name, " does not fill whole bytes"));
  }
  if (bits / 8 != entry.end - entry.begin) {
    fail_tensor(t.name, cat("data_offsets: expected ", bits / 8, " bytes for shape ", std::span<const int64_t>(t.shape),
                            " of ", t.dtype_name, ", got ", entry.end - entry.begin));
  }
}

void HeaderParser::check_layout(const std::vector<Entry>& entries) const {
  uint64_t position = 0;
  std::string_view previous;
  for (const Entry& e : entries) {
    if (e.begin < position) {
      fail_tensor(e.tensor.name, cat("data_offsets [", e.begin, ", ", e.end, "] overlap tensor ",
                                     ingot::quoted(previous), ", which ends at ", position));
    }
    if (e.begin > position) {
      fail_tensor(e.tensor.name, cat("data_offsets: expected to begin at ", position, ", got ", e.begin,
                                     ": the bytes between belong to no tensor"));
    }
    position = e.end;
    previous = e.tensor.name;
  }
  if (position != data_.size()) {
    fail_format(cat("the tensors cover ", position, " bytes of data, but the file has ", data_.size(), ": ",
                    data_.size() - position, " bytes belong to no tensor"));
  }
}

}  // namespace

DType SafetensorsTensor::require_dtype() const {
  if (dtype.has_value()) return *dtype;
  bool known = find_safetensors_dtype(dtype_name) != nullptr;
  fail(ErrorKind::kUnsupported, "safetensors",
       cat("tensor ", ingot::quoted(name), " has dtype ", ingot::quoted(dtype_name),
           known ? ", which Ingot has no tensors of" : ", which is unknown"));
}

SafetensorsFile SafetensorsFile::open(const std::string& path) {
  std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  return from_bytes(file->bytes(), file, path);
}

SafetensorsFile SafetensorsFile::from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                            std::string label) {
  auto state = std::make_shared<State>();
  state->label = std::move(label);
  state->owner = std::move(owner);
  HeaderParser(bytes, state->label).parse(state->tensors, state->metadata);
  for (size_t i = 0; i < state->tensors.size(); i++) state->by_name.emplace(state->tensors[i].name, i);
  SafetensorsFile file;
  file.state_ = std::move(state);
  return file;
}

const std::string& SafetensorsFile::label() const { return state_->label; }
const std::vector<SafetensorsTensor>& SafetensorsFile::tensors() const { return state_->tensors; }
const std::map<std::string, std::string>& SafetensorsFile::metadata() const { return state_->metadata; }
const std::shared_ptr<const void>& SafetensorsFile::owner() const { return state_->owner; }

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> all;
  all.reserve(state_->tensors.size());
  for (const SafetensorsTensor& t : state_->tensors) all.push_back(t.name);
  return all;
}

const SafetensorsTensor* SafetensorsFile::find(std::string_view name) const {
  auto it = state_->by_name.find(name);
  return it == state_->by_name.end() ? nullptr : &state_->tensors[it->second];
}

const SafetensorsTensor& SafetensorsFile::get(std::string_view name) const {
  if (const SafetensorsTensor* t = find(name)) return *t;
  fail(ErrorKind::kArgument, state_->label, cat("no tensor is named ", ingot::quoted(name)));
}

}  // namespace ingot
