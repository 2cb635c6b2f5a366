// SPDX-License-Identifier: Apache-2.0
//
// PTX that nvcc wrote, beside the cubins of the same source.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/byte_reader.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"
#include "tests/support/files.h"

namespace coalcheck::ptx {
namespace {

std::vector<std::string> Architectures() { return support::PartsOf(COALCHECK_ADDRESS_SMS); }

std::string Fixture(const std::string& sm, const std::string& ending) {
  return support::FileText(std::string(COALCHECK_ADDRESS_DIR) + "/addresses_" + sm + ending);
}

struct Place {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

// Of a kernel's parameters, by number, as the attributes in `.nv.info.KERNEL` say.
std::map<std::uint32_t, Place> ParametersOf(const cubin::ElfFile& elf, std::string_view kernel) {
  constexpr std::uint8_t kSizedValue = 4;
  constexpr std::uint8_t kParameterInfo = 0x17;
  std::map<std::uint32_t, Place> parameters;
  const cubin::ElfSection* info = elf.FindSection(std::string(".nv.info.").append(kernel));
  if (info == nullptr) return parameters;
  cubin::ByteReader reader(info->content);
  while (reader.ok() && !reader.AtEnd()) {
    const std::uint8_t format = reader.U8();
    const std::uint8_t attribute = reader.U8();
    const std::uint16_t size = reader.U16();
    if (format != kSizedValue) continue;
    cubin::ByteReader value(reader.Bytes(size));
    if (attribute != kParameterInfo) continue;
    value.U32();
    const std::uint16_t number = value.U16();
    const std::uint16_t offset = value.U16();
    parameters[number] = {offset, value.U32() >> 18U};
  }
  return parameters;
}

TEST(CompiledPtx, HasItsParametersWhereTheCubinSays) {
  if (Architectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::string& sm : Architectures()) {
    const std::string text = Fixture(sm, ".ptx");
    const std::string cubin = Fixture(sm, ".cubin");
    const auto elf = cubin::ElfFile::Parse(cubin);
    ASSERT_TRUE(elf.ok());
    const Module module(text);
    ASSERT_GT(module.functions().size(), 200U);
    for (const Module::Entry& entry : module.functions()) {
      SCOPED_TRACE(std::string(entry.name) + " for sm_" + sm);
      const Function function = module.Read(entry);
      const auto expected = ParametersOf(elf.value(), entry.name);
      ASSERT_EQ(function.parameters.size(), expected.size());
      for (const auto& [number, place] : expected) {
        EXPECT_EQ(function.parameters.at(number).offset, place.offset);
        EXPECT_EQ(function.parameters.at(number).bytes, place.bytes);
      }
    }
  }
}

TEST(CompiledPtx, IsReadWithoutALeftover) {
  if (Architectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::string& sm : Architectures()) {
    const std::string text = Fixture(sm, ".ptx");
    const Module module(text);
    for (const Module::Entry& entry : module.functions()) {
      SCOPED_TRACE(std::string(entry.name) + " for sm_" + sm);
      const Function function = module.Read(entry);
      EXPECT_TRUE(function.is_complete);
      std::size_t accesses = 0;
      for (const Instruction& one : function.instructions) {
        EXPECT_NE(one.code.op, Op::kOther) << one.text;
        EXPECT_NE(one.code.op, Op::kUnread) << one.text;
        if (!IsGlobalAccess(one)) continue;
        ++accesses;
        ASSERT_NE(GlobalAddress(function, one), nullptr);
      }
      EXPECT_GT(accesses, 0U);
    }
  }
}

}  // namespace
}  // namespace coalcheck::ptx
