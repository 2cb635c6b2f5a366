// SPDX-License-Identifier: Apache-2.0
//
// PTX that nvcc wrote, beside the cubins of the same source.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "libcoalcheck/address/parameters.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::ptx {
namespace {

std::vector<std::string> Architectures() {
  std::vector<std::string> architectures;
  std::istringstream list(COALCHECK_ADDRESS_SMS);
  for (std::string sm; std::getline(list, sm, ',');) architectures.push_back(sm);
  return architectures;
}

std::string Fixture(const std::string& sm, const std::string& ending) {
  std::ifstream stream(std::string(COALCHECK_ADDRESS_DIR) + "/addresses_" + sm + ending,
                       std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
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
      const address::Parameters expected = address::ReadParameters(elf.value(), entry.name);
      ASSERT_EQ(function.parameters.size(), expected.all.size());
      for (std::size_t i = 0; i < expected.all.size(); ++i) {
        EXPECT_EQ(function.parameters[i].offset, expected.all[i].offset);
        EXPECT_EQ(function.parameters[i].bytes, expected.all[i].size);
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
