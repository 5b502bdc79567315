// Reads little-endian fields from bytes that nobody vouches for: every step is checked against what is left.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "ingot/base/error.h"

namespace ingot {

class ByteReader {
 public:
  // `label` names the source in messages and must outlive the reader.
  ByteReader(std::span<const std::byte> bytes, std::string_view label) : bytes_(bytes), label_(label) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  std::span<const std::byte> since(size_t begin) const { return bytes_.subspan(begin, position_ - begin); }
  std::string_view label() const { return label_; }

  // `what` says in the Error which field did not fit.
  std::span<const std::byte> take(uint64_t count, std::string_view what) {
    if (count > remaining()) {
      fail(ErrorKind::kFormat, label_,
           cat(what, ": expected ", count, " bytes at offset ", position_, ", but the file ends after ", remaining(),
               " (is it cut short?)"));
    }
    std::span<const std::byte> taken = bytes_.subspan(position_, static_cast<size_t>(count));
    position_ += taken.size();
    return taken;
  }

  // `count` items of `size` bytes each.
  std::span<const std::byte> take(uint64_t count, uint64_t size, std::string_view what) {
    uint64_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = UINT64_MAX;
    return take(bytes, what);
  }

  template <class T>
  T read(std::string_view what) {
    T value;
    memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }

  std::string_view read_string(std::string_view what) {
    std::span<const std::byte> text = take(read<uint64_t>(what), what);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  std::string_view label_;
  size_t position_ = 0;
};

}  // namespace ingot
