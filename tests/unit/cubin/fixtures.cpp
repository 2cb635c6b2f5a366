// SPDX-License-Identifier: Apache-2.0
//
// Finds and reads what fixtures.cmake compiled.
#include "tests/unit/cubin/fixtures.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "libcoalcheck/cubin/line_table.h"
#include "tests/support/files.h"

namespace coalcheck::cubin {

std::string WhyNoFixtures() {
  return FixtureArchitectures().empty() ? "nvcc was not found when this was configured" : "";
}

std::vector<std::string> FixtureArchitectures() { return support::PartsOf(COALCHECK_FIXTURE_SMS); }

std::string FixturePath(const std::string& name) {
  return std::string(COALCHECK_FIXTURE_DIR) + "/" + name;
}

std::string FixtureSource(const std::string& name) {
  return std::string(COALCHECK_FIXTURE_SOURCES) + "/" + name;
}

std::optional<std::string> ReadWhole(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

std::string ReadFixture(const std::string& name) {
  const std::optional<std::string> content = ReadWhole(FixturePath(name));
  EXPECT_TRUE(content.has_value()) << "cannot read " << FixturePath(name);
  return content.value_or("");
}

AllInstructions::AllInstructions(std::string content) : bytes(std::move(content)) {
  const Result<ElfFile> parsed = ElfFile::Parse(bytes);
  if (!parsed.ok()) {
    ADD_FAILURE() << parsed.error();
    return;
  }
  const ElfFile* elf = &parsed.value();
  std::vector<std::size_t> sections;
  for (std::size_t i = 0; i < elf->sections().size(); ++i) {
    const ElfSection& section = elf->sections()[i];
    if (!section.name.starts_with(".text.")) continue;
    Function& function = functions.emplace_back();
    function.name = section.name.substr(6);
    function.accesses.resize(section.content.size() / 16);
    for (std::size_t pc = 0; pc < function.accesses.size(); ++pc) {
      function.accesses[pc].pc = PcOffset(static_cast<std::uint32_t>(pc * 16));
    }
    sections.push_back(i);
  }
  LineTable lines(*elf, functions, sections, paths);
  EXPECT_TRUE(lines.AddPtx().ok());
  // More frames than the accesses alone would have.
  EXPECT_TRUE(lines.AddFrames(64 * bytes.size()).ok());
}

}  // namespace coalcheck::cubin
