// SPDX-License-Identifier: Apache-2.0
//
// Reads little-endian values out of bytes that may lie: running over the end is remembered, never
// done.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace coalcheck::cubin {

static_assert(std::endian::native == std::endian::little, "cubins are read in place");

// `length` bytes of `bytes` from `offset`; empty when they are not all there.
inline std::string_view Slice(std::string_view bytes, std::uint64_t offset, std::uint64_t length) {
  if (offset > bytes.size() || length > bytes.size() - offset) return {};
  return bytes.substr(offset, length);
}

// A reading position. After the first read past the end ok() is false, and this and every later
// read gives zero.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool AtEnd() const { return position_ == bytes_.size(); }
  std::size_t position() const { return position_; }

  std::uint8_t U8() { return Fixed<std::uint8_t>(); }
  std::uint16_t U16() { return Fixed<std::uint16_t>(); }
  std::uint32_t U32() { return Fixed<std::uint32_t>(); }
  std::uint64_t U64() { return Fixed<std::uint64_t>(); }

  // LEB128; bits above the 64th are dropped.
  std::uint64_t Uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = U8();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
  }

  std::int64_t Sleb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
      byte = U8();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      shift += shift < 64 ? 7 : 0;
    } while ((byte & 0x80U) != 0);
    if (shift < 64 && (byte & 0x40U) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }

  // Up to the next NUL, which is consumed.
  std::string_view CString() {
    const std::size_t end = bytes_.find('\0', position_);
    if (!ok_ || end == std::string_view::npos) {
      Fail();
      return {};
    }
    const std::string_view text = bytes_.substr(position_, end - position_);
    position_ = end + 1;
    return text;
  }

  std::string_view Bytes(std::uint64_t count) {
    if (!ok_ || count > bytes_.size() - position_) {
      Fail();
      return {};
    }
    const std::string_view taken = bytes_.substr(position_, count);
    position_ += taken.size();
    return taken;
  }

 private:
  template <typename T>
  T Fixed() {
    T value = 0;
    const std::string_view taken = Bytes(sizeof(T));
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }

  void Fail() {
    ok_ = false;
    position_ = bytes_.size();
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace coalcheck::cubin
