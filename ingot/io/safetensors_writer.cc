#include <simdjson.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "ingot/base/error.h"
#include "ingot/io/atomic_file.h"
#include "ingot/io/safetensors.h"
#include "ingot/io/safetensors_dtypes.h"
#include "ingot/io/safetensors_layout.h"

namespace ingot {

namespace {

[[noreturn]] void fail_entry(const SafetensorsEntry& e, std::string_view message) {
  fail(ErrorKind::kArgument, "write_safetensors", cat("tensor ", ingot::quoted(e.name), ": ", message));
}

void append_json_string(std::string& out, std::string_view text) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    fail(ErrorKind::kArgument, "write_safetensors", cat("not valid UTF-8: ", ingot::quoted(text)));
  }
  static constexpr char kHex[] = "0123456789abcdef";
  static constexpr char kShort[] = "btn\0fr";  // of the bytes 8 to 13
  out += '"';
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 8 && byte <= 13 && byte != 11) {
      out += '\\';
      out += kShort[byte - 8];
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

uint64_t size_of(const SafetensorsEntry& e) {
  uint64_t bytes = itemsize(e.dtype);
  for (int64_t size : e.shape) {
    if (size < 0) fail_entry(e, cat("negative size in shape ", std::span<const int64_t>(e.shape)));
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes)) {
      fail_entry(e, cat("the size of shape ", std::span<const int64_t>(e.shape), " overflows"));
    }
  }
  return bytes;
}

size_t rank_of(const SafetensorsEntry& e) {
  return static_cast<size_t>(&safetensors_dtype_of(e.dtype) - kSafetensorsDTypes);
}

// Length and JSON of the header.
std::string head_for(std::span<const SafetensorsEntry> tensors, std::span<const size_t> order,
                     const std::map<std::string, std::string>& metadata) {
  std::string text = "{";
  if (!metadata.empty()) {
    text += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      if (text.back() != '{') text += ',';
      append_json_string(text, key);
      text += ':';
      append_json_string(text, value);
    }
    text += '}';
  }
  uint64_t position = 0;
  for (size_t index : order) {
    const SafetensorsEntry& e = tensors[index];
    if (text.size() > 1) text += ',';
    uint64_t end;
    if (__builtin_add_overflow(position, size_of(e), &end) || end > uint64_t{1} << 63) {
      fail_entry(e, "the file would be larger than 2^63 bytes");
    }
    append_json_string(text, e.name);
    text += cat(":{\"dtype\":\"", safetensors_dtype_of(e.dtype).name, "\",\"shape\":[");
    for (size_t i = 0; i < e.shape.size(); i++) text += cat(i > 0 ? "," : "", e.shape[i]);
    text += cat("],\"data_offsets\":[", position, ",", end, "]}");
    position = end;
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

}  // namespace

SafetensorsLayout lay_out_safetensors(std::span<const SafetensorsEntry> tensors,
                                      const std::map<std::string, std::string>& metadata) {
  SafetensorsLayout layout;
  std::set<std::string_view> names;
  for (size_t i = 0; i < tensors.size(); i++) {
    if (tensors[i].name == "__metadata__") fail_entry(tensors[i], "this name is reserved");
    if (!names.insert(tensors[i].name).second) fail_entry(tensors[i], "given twice");
    layout.order.push_back(i);
  }
  std::sort(layout.order.begin(), layout.order.end(), [&](size_t a, size_t b) {
    size_t rank_a = rank_of(tensors[a]), rank_b = rank_of(tensors[b]);
    return std::tie(rank_a, tensors[a].name) < std::tie(rank_b, tensors[b].name);
  });
  layout.head = head_for(tensors, layout.order, metadata);
  return layout;
}

void write_safetensors(const std::string& path, std::span<const SafetensorsEntry> tensors,
                       const std::map<std::string, std::string>& metadata) {
  for (const SafetensorsEntry& e : tensors) {
    if (e.data == nullptr && size_of(e) > 0) fail_entry(e, "no data given");
  }
  SafetensorsLayout layout = lay_out_safetensors(tensors, metadata);
  AtomicFile file(path);
  file.write(layout.head);
  for (size_t i : layout.order) file.write(tensors[i].data, size_of(tensors[i]));
  file.commit();
}

}  // namespace ingot
