// SPDX-License-Identifier: Apache-2.0
//
// Reads two attributes of `.nv.info.FUNCTION`.
#include "libcoalcheck/address/parameters.h"

#include <string>

#include "libcoalcheck/cubin/byte_reader.h"

namespace coalcheck::address {
namespace {

constexpr std::uint8_t kSizedValue = 4;
constexpr std::uint8_t kParameterBank = 0x0a;
constexpr std::uint8_t kParameterInfo = 0x17;
constexpr std::size_t kMostParameters = 4096;

void ReadInfo(std::string_view value, Parameters& parameters) {
  cubin::ByteReader reader(value);
  reader.U32();
  const std::uint16_t number = reader.U16();
  const std::uint16_t offset = reader.U16();
  const std::uint32_t size = reader.U32() >> 18U;
  if (!reader.ok() || number >= kMostParameters) return;
  if (parameters.all.size() <= number) parameters.all.resize(number + std::size_t{1});
  parameters.all[number] = {offset, size};
}

}  // namespace

std::optional<Parameters::Place> Parameters::Find(std::uint32_t bank, std::uint32_t offset) const {
  if (bank != 0 || offset < base) return std::nullopt;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t begin = base + all[i].offset;
    if (offset >= begin && offset - begin < all[i].size) {
      return Place{static_cast<std::uint32_t>(i + 1), offset - begin};
    }
  }
  return std::nullopt;
}

Parameters ReadParameters(const cubin::ElfFile& elf, std::string_view function) {
  Parameters parameters;
  const cubin::ElfSection* info = elf.FindSection(std::string(".nv.info.").append(function));
  if (info == nullptr) return parameters;
  cubin::ByteReader reader(info->content);
  while (reader.ok() && !reader.AtEnd()) {
    const std::uint8_t format = reader.U8();
    const std::uint8_t attribute = reader.U8();
    const std::uint16_t size = reader.U16();
    if (format != kSizedValue) continue;
    const std::string_view value = reader.Bytes(size);
    if (!reader.ok()) break;
    if (attribute == kParameterInfo) ReadInfo(value, parameters);
    if (attribute == kParameterBank) {
      cubin::ByteReader bank(value);
      bank.U32();
      parameters.base = bank.U16();
    }
  }
  return parameters;
}

}  // namespace coalcheck::address
