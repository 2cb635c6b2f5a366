// SPDX-License-Identifier: Apache-2.0
//
// The decoder against what nvdisasm says of the same words: where they branch, what they do to
// memory, which registers and predicates they read and write. scripts/make-sass-listing made the
// listing; CI has no nvdisasm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "libcoalcheck/machine_code/instruction.h"
#include "libcoalcheck/machine_code/operands.h"

namespace coalcheck::machine_code {
namespace {

struct Line {
  std::uint32_t sm = 0;
  std::int64_t pc = 0;
  Word word;
  std::string target;
  std::vector<unsigned> writes;
  std::vector<unsigned> reads;
  std::string guard;
  std::string mnemonic;
  std::string operands;
};

unsigned LocationOf(const std::string& name) {
  const std::size_t digits = name.find_first_of("0123456789");
  const std::string kind = name.substr(0, digits);
  const auto number = static_cast<unsigned>(std::stoul(name.substr(digits)));
  if (kind == "R") return kVector + number;
  if (kind == "UR") return kUniform + number;
  return (kind == "P" ? kPredicate : kUniformPredicate) + number;
}

std::vector<unsigned> Locations(const std::string& list) {
  std::vector<unsigned> locations;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    if (name != "-") locations.push_back(LocationOf(name));
  }
  return locations;
}

std::vector<Line> ReadListing() {
  std::ifstream stream(std::string(COALCHECK_SOURCE_DIR) +
                       "/tests/unit/machine_code/sass_listing.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(stream, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream fields(text);
    Line line;
    std::string writes;
    std::string reads;
    fields >> line.sm >> std::hex >> line.pc >> line.word.low >> line.word.high >> line.target >>
        writes >> reads >> line.mnemonic;
    if (line.mnemonic.starts_with('@')) {
      line.guard = line.mnemonic;
      fields >> line.mnemonic;
    }
    fields >> line.operands;
    line.writes = Locations(writes);
    line.reads = Locations(reads);
    lines.push_back(line);
  }
  return lines;
}

std::string Describe(const Line& line) {
  return line.guard + ' ' + line.mnemonic + ' ' + line.operands + " on sm_" +
         std::to_string(line.sm);
}

bool Covers(const LocationRanges& ranges, unsigned location) {
  for (const LocationRange& range : ranges) {
    if (location >= range.first && location < static_cast<unsigned>(range.first) + range.count)
      return true;
  }
  return false;
}

std::string NameOf(const std::string& mnemonic) { return mnemonic.substr(0, mnemonic.find('.')); }

bool Mentions(const Line& line, const char* word) {
  return line.mnemonic.find(word) != std::string::npos;
}

Effect ExpectedEffect(const Line& line) {
  const std::string name = NameOf(line.mnemonic);
  if (name == "LD" || name == "LDG") {
    const bool wide =
        Mentions(line, ".GPU") || (Mentions(line, ".SYS") && Mentions(line, "STRONG"));
    if (Mentions(line, "MMIO") || (Mentions(line, "STRONG") && wide)) return Effect::kStrongLoad;
    return Mentions(line, "CONSTANT") ? Effect::kNone : Effect::kWeakLoad;
  }
  if (name == "ATOM" || name == "ATOMG") {
    return line.writes.empty() ? Effect::kNone : Effect::kReturningAtomic;
  }
  if (name == "MEMBAR" || name == "ERRBAR" || name == "CGAERRBAR" || name == "CCTL") {
    return Effect::kFence;
  }
  if (name == "NANOSLEEP") return Effect::kNanosleep;
  return name == "BAR" ? Effect::kBarrier : Effect::kNone;
}

Flow ExpectedFlow(const Line& line) {
  const std::string name = NameOf(line.mnemonic);
  if (name == "BRA") return Flow::kJump;
  if (name == "BRX") return Flow::kJumpTable;
  if (name == "BSSY") return Flow::kSetSync;
  if (name == "BSYNC") return Flow::kSync;
  if (name == "RET") return Flow::kReturn;
  if (name == "EXIT") return Flow::kExit;
  if (name == "WARPSYNC") return Mentions(line, "COLLECTIVE") ? Flow::kCollective : Flow::kNext;
  if (name != "CALL") return Flow::kNext;
  const bool by_register = line.operands.size() > 1 && line.operands[0] == 'R' &&
                           std::isdigit(static_cast<unsigned char>(line.operands[1])) != 0;
  if (by_register) return Flow::kCallRegister;
  return Mentions(line, "ABS") ? Flow::kCallSymbol : Flow::kCall;
}

TEST(SassListing, HasEveryArchitecture) {
  std::vector<std::uint32_t> architectures;
  for (const Line& line : ReadListing()) {
    if (architectures.empty() || architectures.back() != line.sm) architectures.push_back(line.sm);
  }
  for (const std::uint32_t sm : {75U, 80U, 90U, 100U, 120U}) {
    EXPECT_NE(std::find(architectures.begin(), architectures.end(), sm), architectures.end()) << sm;
  }
  EXPECT_GT(ReadListing().size(), 2000U);
}

TEST(SassListing, AgreesOnTheFlowOfControl) {
  for (const Line& line : ReadListing()) {
    const Instruction decoded = DecodeInstruction(line.word, line.pc, line.sm);
    EXPECT_EQ(decoded.flow, ExpectedFlow(line)) << Describe(line);
    if (line.target != "-") {
      EXPECT_EQ(decoded.target, std::stoll(line.target, nullptr, 16)) << Describe(line);
    }
    if (decoded.flow == Flow::kSetSync || decoded.flow == Flow::kSync) {
      EXPECT_EQ("B" + std::to_string(decoded.barrier),
                line.operands.substr(0, line.operands.find(',')))
          << Describe(line);
    }
    if (decoded.flow == Flow::kJump && (!line.guard.empty() || !line.reads.empty())) {
      EXPECT_TRUE(decoded.conditional) << Describe(line);
    }
  }
}

TEST(SassListing, AgreesOnWhatMattersToWaiting) {
  for (const Line& line : ReadListing()) {
    EXPECT_EQ(DecodeInstruction(line.word, line.pc, line.sm).effect, ExpectedEffect(line))
        << Describe(line);
  }
}

// To read or write too much costs a launch that is watched in vain; too little, a program that
// hangs.
TEST(SassListing, ReadsAndWritesAtLeastWhatIsListed) {
  for (const Line& line : ReadListing()) {
    const Operands operands = ReadOperands(line.word, line.sm);
    const Flow flow = DecodeInstruction(line.word, line.pc, line.sm).flow;
    if (flow == Flow::kNext) {
      for (const unsigned location : line.reads) {
        // What a reduction adds, how long a sleep lasts and where an atomic is made are nobody's
        // condition.
        const bool address =
            location >= kUniform && location < kPredicate && Mentions(line, "ATOM");
        const std::string name = NameOf(line.mnemonic);
        if (address || name == "RED" || name == "REDG" || name == "NANOSLEEP" ||
            name == "WARPSYNC") {
          continue;
        }
        EXPECT_TRUE(Covers(operands.reads, location))
            << "reads location " << location << ": " << Describe(line);
      }
    }
    for (const unsigned location : line.writes) {
      EXPECT_TRUE(Covers(operands.writes, location))
          << "writes location " << location << ": " << Describe(line);
    }
  }
}

TEST(SassListing, OverwritesNothingThatIsNotListed) {
  for (const Line& line : ReadListing()) {
    const Operands operands = ReadOperands(line.word, line.sm);
    for (const LocationRange& range : operands.overwrites) {
      EXPECT_NE(std::find(line.writes.begin(), line.writes.end(), range.first), line.writes.end())
          << "overwrites location " << range.first << ": " << Describe(line);
      EXPECT_EQ(range.count, 1) << Describe(line);
    }
    if (!line.guard.empty()) {
      EXPECT_EQ(operands.overwrites.begin(), operands.overwrites.end()) << Describe(line);
    }
  }
}

TEST(SassListing, FollowsEveryConditionOfABranch) {
  for (const Line& line : ReadListing()) {
    if (NameOf(line.mnemonic) != "BRA" && NameOf(line.mnemonic) != "EXIT") continue;
    const LocationRanges condition = ReadCondition(line.word);
    for (const unsigned location : line.reads) {
      if (location < kPredicate) continue;  // .DIV asks how the warp stands
      EXPECT_TRUE(Covers(condition, location)) << location << ": " << Describe(line);
    }
  }
}

}  // namespace
}  // namespace coalcheck::machine_code
