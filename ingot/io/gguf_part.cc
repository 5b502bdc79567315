#include "ingot/io/gguf_part.h"

#include <algorithm>
#include <bit>
#include <set>

#include "ingot/base/error.h"
#include "ingot/io/byte_reader.h"
#include "ingot/io/ggml_types.h"
#include "ingot/io/gguf_walk.h"

namespace ingot {

namespace {

constexpr uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr uint32_t kMaxAxes = 4;
// The smallest a key with its value, and a tensor's entry, can be: they bound the counts before anything is sized by
// them.
constexpr uint64_t kLeastKeyBytes = 8 + 4 + 1;
constexpr uint64_t kLeastTensorBytes = 8 + 4 + 8 + 4 + 8;

class PartParser {
 public:
  PartParser(std::span<const std::byte> bytes, std::string_view label)
      : bytes_(bytes), label_(label), reader_(bytes, label) {}

  GgufPart parse();

 private:
  [[noreturn]] void fail_format(std::string_view message) const { fail(ErrorKind::kFormat, label_, message); }
  [[noreturn]] void fail_tensor(std::string_view name, std::string_view message) const {
    fail_format(cat("tensor ", quoted(name), ": ", message));
  }

  void parse_version();
  void parse_keys(uint64_t count);
  GgufTensor parse_tensor(uint64_t& offset);
  uint64_t alignment() const;
  void place_tensors(const std::vector<uint64_t>& offsets);
  void explain_joined_parts(uint64_t data_end) const;

  std::span<const std::byte> bytes_;
  std::string_view label_;
  ByteReader reader_;
  GgufPart part_;
};

void PartParser::parse_version() {
  if (reader_.read<uint32_t>("magic number") != kMagic) fail_format("not a GGUF file: it does not begin with \"GGUF\"");
  part_.version = reader_.read<uint32_t>("version");
  if (part_.version != 0 && (part_.version & 0xFFFF) == 0) {
    fail(ErrorKind::kUnsupported, label_, "this is a big-endian GGUF file; only little-endian files can be read");
  }
  if (part_.version != 2 && part_.version != 3) {
    fail(ErrorKind::kUnsupported, label_, cat("GGUF version: expected 2 or 3, got ", part_.version));
  }
}

void PartParser::parse_keys(uint64_t count) {
  if (count > reader_.remaining() / kLeastKeyBytes) {
    fail_format(cat("key count is ", count, ", but only ", reader_.remaining(), " bytes follow"));
  }
  for (uint64_t i = 0; i < count; i++) {
    std::string_view key = reader_.read_string(cat("name of key ", i));
    GgufType type = read_gguf_type(reader_, key);
    GgufValue value(type, take_gguf_value(reader_, type, key));
    if (!part_.key_index.emplace(key, part_.keys.size()).second) fail_format(cat("duplicate key ", quoted(key)));
    part_.keys.emplace_back(key, value);
  }
}

uint64_t PartParser::alignment() const {
  const GgufValue* value = part_.find("general.alignment");
  if (value == nullptr) return kGgufDefaultAlignment;
  uint32_t alignment = value->as<uint32_t>(label_, "general.alignment");
  if (!std::has_single_bit(alignment)) fail_format(cat("general.alignment: expected a power of two, got ", alignment));
  return alignment;
}

// The entry of one tensor, its size in bytes checked against overflow but not yet against the file.
GgufTensor PartParser::parse_tensor(uint64_t& offset) {
  GgufTensor t;
  t.name = reader_.read_string(cat("name of tensor ", part_.tensors.size()));
  std::string what = cat("tensor ", quoted(t.name));
  uint32_t axes = reader_.read<uint32_t>(what);
  if (axes < 1 || axes > kMaxAxes) fail_tensor(t.name, cat("number of axes: expected 1 to ", kMaxAxes, ", got ", axes));
  for (uint32_t i = 0; i < axes; i++) {
    uint64_t size = reader_.read<uint64_t>(what);
    if (size > INT64_MAX) fail_tensor(t.name, cat("size ", size, " of axis ", i, " is larger than 2^63"));
    t.shape.insert(t.shape.begin(), static_cast<int64_t>(size));  // the file has the fastest axis first
  }
  t.ggml_type = reader_.read<uint32_t>(what);
  offset = reader_.read<uint64_t>(what);

  uint64_t elements = 1;
  for (int64_t size : t.shape) {
    if (__builtin_mul_overflow(elements, static_cast<uint64_t>(size), &elements) || elements > INT64_MAX) {
      fail_tensor(t.name, cat("the size of shape ", std::span<const int64_t>(t.shape), " overflows"));
    }
  }
  const GgmlType* type = find_ggml_type(t.ggml_type);
  if (type == nullptr) return t;  // no size to check against; reading this tensor is the error
  t.format = type->format;
  uint64_t per_block = static_cast<uint64_t>(type->block_elements);
  if (static_cast<uint64_t>(t.shape.back()) % per_block != 0) {
    fail_tensor(t.name, cat("rows of ", t.shape.back(), " elements are not whole blocks of ", per_block, ", as ",
                            type->name, " needs"));
  }
  if (__builtin_mul_overflow(elements / per_block, static_cast<uint64_t>(type->block_bytes), &t.nbytes) ||
      t.nbytes > INT64_MAX) {
    fail_tensor(t.name, cat("the size of shape ", std::span<const int64_t>(t.shape), " of ", type->name, " overflows"));
  }
  return t;
}

void PartParser::place_tensors(const std::vector<uint64_t>& offsets) {
  uint64_t align = alignment();
  // Both are below 2^63 and 2^32: no overflow. A file without data may end before the padding does.
  uint64_t data_start = (reader_.position() + align - 1) / align * align;
  uint64_t data_size = bytes_.size() - std::min<uint64_t>(data_start, bytes_.size());
  uint64_t data_end = reader_.position();
  for (size_t i = 0; i < offsets.size(); i++) {
    GgufTensor& t = part_.tensors[i];
    if (offsets[i] % align != 0) {
      fail_tensor(t.name, cat("offset: expected a multiple of ", align, ", got ", offsets[i]));
    }
    if (offsets[i] > data_size || t.nbytes > data_size - offsets[i]) {
      fail_tensor(t.name, cat("data: expected ", t.nbytes, " bytes at offset ", offsets[i],
                              ", but the data section has ", data_size, " bytes (is the file cut short?)"));
    }
    if (find_ggml_type(t.ggml_type) == nullptr) continue;
    // Clamped for a tensor without elements, which may lie where the file has already ended.
    uint64_t begin = std::min<uint64_t>(data_start + offsets[i], bytes_.size());
    t.data = bytes_.data() + begin;
    data_end = std::max(data_end, begin + t.nbytes);
  }
  explain_joined_parts(data_end);
  explain_joined_parts((data_end + align - 1) / align * align);  // writers differ in whether they pad the end
}

// The parts of a split file joined end to end look like the first part with the others after its data.
void PartParser::explain_joined_parts(uint64_t data_end) const {
  const GgufValue* count = part_.find("split.count");
  if (count == nullptr || data_end > bytes_.size() || bytes_.size() - data_end < 4) return;
  uint32_t next;
  memcpy(&next, bytes_.data() + data_end, 4);
  if (next == kMagic && count->as<uint64_t>(label_, "split.count") > 1) {
    fail_format(
        "the parts of a split model were joined end to end in this file, which makes no whole model: keep the parts as "
        "they are "
        "and open any one of them, or merge them with a tool that knows the format");
  }
}

GgufPart PartParser::parse() {
  parse_version();
  uint64_t tensor_count = reader_.read<uint64_t>("tensor count");
  uint64_t key_count = reader_.read<uint64_t>("key count");
  // Before the keys, too: a wrong count should be reported as such.
  auto check_tensor_count = [&] {
    if (tensor_count > reader_.remaining() / kLeastTensorBytes) {
      fail_format(cat("tensor count is ", tensor_count, ", but only ", reader_.remaining(), " bytes follow"));
    }
  };
  check_tensor_count();
  parse_keys(key_count);
  check_tensor_count();

  std::vector<uint64_t> offsets;
  std::set<std::string> names;
  for (uint64_t i = 0; i < tensor_count; i++) {
    uint64_t offset;
    part_.tensors.push_back(parse_tensor(offset));
    offsets.push_back(offset);
    if (!names.insert(part_.tensors.back().name).second) {
      fail_format(cat("duplicate tensor ", quoted(part_.tensors.back().name)));
    }
  }
  place_tensors(offsets);
  return std::move(part_);
}

}  // namespace

GgufPart parse_gguf_part(std::span<const std::byte> bytes, std::string_view label) {
  return PartParser(bytes, label).parse();
}

}  // namespace ingot
