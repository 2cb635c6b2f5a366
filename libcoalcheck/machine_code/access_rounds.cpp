// SPDX-License-Identifier: Apache-2.0
//
// Adds up the accesses of each function, block by block, each as often as its loops say.
#include "libcoalcheck/machine_code/access_rounds.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/code_section.h"
#include "libcoalcheck/machine_code/counted_loop.h"
#include "libcoalcheck/machine_code/loops.h"

namespace coalcheck::machine_code {
namespace {

constexpr int kDeepestCall = 16;  // one inside the other
// How many instructions the functions of one kernel may have in all.
constexpr std::uint64_t kMostInstructionsAdded = 4'000'000;

// To find the rounds of one section's loops may take so many looks at an instruction.
constexpr std::uint64_t kMostLooks = 2'000'000;
constexpr double kMostRounds = 1e12;

// What the loops around a block make of it.
struct Repeats {
  double times = 1;
  int guessed = 0;  // loops of which nobody knows the rounds
};

// A section of code, and how often each block is executed.
struct LoopedSection {
  CodeSection code;
  ControlFlow flow;
  std::vector<Repeats> repeats;
};

// What a call may write is not followed: everything, perhaps.
const CallEffects& AnyEffects() {
  static const CallEffects any = [] {
    CallEffects effects;
    effects.writes.Add(0, kLocationCount);
    return effects;
  }();
  return any;
}

class Adder {
 public:
  Adder(cubin::ElfFile elf, const LaunchSize& launch) : image_(std::move(elf)), launch_(launch) {}

  std::optional<AccessRounds> Run(std::string_view kernel) {
    const std::optional<std::size_t> section = image_.FindFunction(kernel);
    if (!section) return std::nullopt;
    const AccessRounds sum = OfFunction({*section, 0}, 0);
    if (!readable_) return std::nullopt;
    return sum;
  }

 private:
  const LoopedSection& Open(std::size_t number) {
    std::unique_ptr<LoopedSection>& section = sections_[number];
    if (section != nullptr) return *section;
    section = std::make_unique<LoopedSection>();
    section->code = image_.Decode(number);
    section->flow = BuildControlFlow(section->code.instructions, section->code.jump_tables,
                                     section->code.Entries());
    readable_ = readable_ && section->flow.readable && FindRepeats(*section);
    return *section;
  }

  bool FindRepeats(LoopedSection& section) const {
    const std::vector<Block>& blocks = section.flow.blocks;
    section.repeats.resize(blocks.size());
    const CodeView code{.words = section.code.words,
                        .instructions = section.code.instructions,
                        .blocks = blocks,
                        .post_dominators = {},
                        .sm = image_.sm(),
                        .effects_of_call = [](auto) -> const CallEffects& { return AnyEffects(); }};
    std::uint64_t steps = kMostLooks;
    std::uint64_t steps_of_counts = kMostLooks;
    LaunchEvaluator values(code, launch_, steps);
    return VisitLoops(blocks, 64 * (blocks.size() + 1), [&](std::span<const std::uint32_t> loop) {
      const std::optional<double> known = MostRounds(code, loop, values, steps_of_counts);
      for (const std::uint32_t block : loop) Repeat(section.repeats[block], known);
    });
  }

  static void Repeat(Repeats& block, std::optional<double> known) {
    if (known) {
      block.times = std::min(block.times * *known, kMostRounds);
      return;
    }
    if (block.guessed < 2) block.times *= block.guessed > 0 ? kRoundsOfAnInnerLoop : kRoundsOfALoop;
    ++block.guessed;
  }

  // A function that calls itself, and calls beyond the deepest, are not followed.
  AccessRounds OfFunction(const FunctionAddress& function, int calls) {
    if (calls > kDeepestCall || work_ > kMostInstructionsAdded) return {.in_loops = true};
    const auto [known, is_new] = functions_.try_emplace(function, AccessRounds{.in_loops = true});
    if (!is_new) return known->second;
    const LoopedSection& section = Open(function.section);
    if (!readable_) return {};
    const std::optional<std::uint32_t> first = section.flow.BlockAt(function.offset);
    if (!first) return {};
    AccessRounds sum;
    std::vector<std::uint32_t> open{*first};
    std::set<std::uint32_t> seen{open.front()};
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      Add(section, function.section, block, calls, sum);
      for (const std::uint32_t to : section.flow.blocks[block].successors) {
        if (seen.insert(to).second) open.push_back(to);
      }
    }
    return known->second = sum;
  }

  void Add(const LoopedSection& section, std::size_t number, std::uint32_t at, int calls,
           AccessRounds& sum) {
    const Block& block = section.flow.blocks[at];
    work_ += block.end - block.begin;
    AccessRounds own = OfCall(section, number, block.end - 1, calls);
    own.instructions += block.end - block.begin;
    for (std::uint32_t n = block.begin; n < block.end; ++n) {
      const Word& word = section.code.words[n];
      if (cubin::DecodeSass(word.low, word.high, image_.sm())) own.accesses += 1;
    }
    const Repeats& around = section.repeats[at];
    sum.accesses += own.accesses * around.times;
    sum.instructions += own.instructions * around.times;
    const bool repeats = own.accesses > 0 && (around.guessed > 0 || !block.reached);
    sum.in_loops = sum.in_loops || own.in_loops || repeats;
  }

  // What the call at instruction `n`, if it is one, makes on its part.
  AccessRounds OfCall(const LoopedSection& section, std::size_t number, std::uint32_t n,
                      int calls) {
    const Instruction& instruction = section.code.instructions[n];
    if (instruction.flow == Flow::kCall) {
      return OfFunction({number, instruction.target}, calls + 1);
    }
    if (instruction.flow == Flow::kCallRegister) return {.in_loops = true};
    if (instruction.flow != Flow::kCallSymbol) return {};
    const auto named = section.code.named_calls.find(static_cast<std::int64_t>(n * sizeof(Word)));
    if (named == section.code.named_calls.end()) return {};
    return OfFunction(named->second, calls + 1);
  }

  CodeImage image_;
  const LaunchSize launch_;
  std::map<std::size_t, std::unique_ptr<LoopedSection>> sections_;
  std::map<FunctionAddress, AccessRounds> functions_;
  std::uint64_t work_ = 0;
  bool readable_ = true;
};

}  // namespace

std::optional<AccessRounds> CountAccessRounds(std::string_view cubin, std::string_view kernel,
                                              const LaunchSize& launch) {
  Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(cubin);
  if (!elf.ok() || elf.value().machine() != cubin::kMachineCuda) return std::nullopt;
  if (elf.value().cuda_architecture() < cubin::kOldestSm) return std::nullopt;
  return Adder(std::move(elf).value(), launch).Run(kernel);
}

}  // namespace coalcheck::machine_code
