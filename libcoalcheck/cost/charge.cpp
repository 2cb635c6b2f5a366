// SPDX-License-Identifier: Apache-2.0
//
// Stalls to causes: throttles stay where they stand, scoreboard waits go to the loads that set the
// scoreboard, and the waits of warps that are done go to the stores that are not.
#include "libcoalcheck/cost/charge.h"

#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/cost/split.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/code_section.h"
#include "libcoalcheck/machine_code/wait_search.h"

namespace coalcheck::cost {
namespace {

using machine_code::CodeImage;
using machine_code::CodeSection;
using machine_code::ControlFlow;
using machine_code::Flow;
using machine_code::WaitSearch;

enum Opcode : std::uint32_t { kLoadLocal = 0x183, kGroupOfCopies = 0x1af, kDepbar = 0x11a };

// One function's code, and whom its instructions wait for.
class Causes {
 public:
  Causes(const CodeImage& image, std::size_t section)
      : sm_(image.sm()),
        code_(image.Decode(section)),
        flow_(BuildControlFlow(code_.instructions, code_.jump_tables, code_.Entries())),
        search_(code_.words, code_.instructions, flow_) {}

  std::optional<std::uint32_t> NumberOf(PcOffset pc) const {
    const std::uint32_t number = pc.value() / cubin::kSassWordSize;
    if (pc.value() % cubin::kSassWordSize != 0 || number >= code_.words.size()) return {};
    return number;
  }
  static PcOffset PcOf(std::uint32_t number) { return PcOffset(number * cubin::kSassWordSize); }

  bool IsAccess(std::uint32_t number) const { return Decode(number).has_value(); }

  // The instructions that a warp waits for at `number` when it waits for memory. Empty: not found,
  // or a path was not followed to its end, on which there may be more. Measured on an H200: a warp
  // that waits at a DEPBAR is sampled at the next instruction.
  std::vector<std::uint32_t> Loads(std::uint32_t number) {
    WaitSearch::Found setters = search_.SettersFor(number);
    if (number > 0 && code_.words[number - 1].opcode() == kDepbar) {
      Join(search_.SettersFor(number - 1), setters);
    }
    WaitSearch::Found slow{{}, setters.complete};
    for (const std::uint32_t setter : setters.instructions) {
      if (IsAccess(setter) || code_.words[setter].opcode() == kLoadLocal) {
        slow.instructions.push_back(setter);
      }
      if (code_.words[setter].opcode() == kGroupOfCopies) Join(CopiesOf(setter), slow);
    }
    if (!slow.complete) return {};
    return slow.instructions.empty() ? setters.instructions : slow.instructions;
  }

  // The stores that a warp which is done at `number` may still wait for; empty as above. Measured
  // on an H200: the drain of an EXIT is sampled at the instruction behind it, dead code as a rule.
  std::vector<std::uint32_t> Stores(std::uint32_t number) {
    const bool is_behind_end = number > 0 && code_.instructions[number].flow != Flow::kExit &&
                               code_.instructions[number - 1].flow == Flow::kExit;
    const WaitSearch::Found found = search_.PassedBefore(
        is_behind_end ? number - 1 : number, [this](std::uint32_t n) { return IsStore(n); },
        [this](std::uint32_t n) {
          return code_.instructions[n].effect == machine_code::Effect::kFence;
        });
    return found.complete ? found.instructions : std::vector<std::uint32_t>();
  }

 private:
  std::optional<cubin::SassAccess> Decode(std::uint32_t number) const {
    return cubin::DecodeSass(code_.words[number].low, code_.words[number].high, sm_);
  }

  bool IsStore(std::uint32_t number) const {
    const auto access = Decode(number);
    return access && (access->kind == cubin::AccessKind::kStore ||
                      access->kind == cubin::AccessKind::kReduction);
  }

  WaitSearch::Found CopiesOf(std::uint32_t group) {
    return search_.PassedBefore(
        group,
        [this](std::uint32_t n) {
          const auto access = Decode(n);
          return access && access->kind == cubin::AccessKind::kAsyncCopy;
        },
        [this](std::uint32_t n) { return code_.words[n].opcode() == kGroupOfCopies; });
  }

  static void Join(const WaitSearch::Found& more, WaitSearch::Found& found) {
    found.instructions.insert(found.instructions.end(), more.instructions.begin(),
                              more.instructions.end());
    found.complete = found.complete && more.complete;
  }

  const std::uint32_t sm_;
  const CodeSection code_;
  const ControlFlow flow_;
  WaitSearch search_;
};

class StallCharger {
 public:
  StallCharger(Causes& causes, const Weight& weight) : causes_(causes), weight_(weight) {}

  void Take(PcOffset pc, const StallTimes& stalls) {
    const std::optional<std::uint32_t> number = causes_.NumberOf(pc);
    if (!number) {
      charged_.unattributed += stalls.Sum();
      return;
    }
    charged_.others += stalls[StallKind::kOther];
    charged_.others += stalls[StallKind::kShortScoreboard];
    charged_.others += stalls[StallKind::kSharedQueue];
    TakeThrottle(*number, stalls[StallKind::kThrottle]);
    if (const StallTime& waits = stalls[StallKind::kLongScoreboard]; waits.all > Cycles(0)) {
      Share(causes_.Loads(*number), StallKind::kLongScoreboard, waits);
    }
    if (const StallTime& drains = stalls[StallKind::kDrain]; drains.all > Cycles(0)) {
      Share(causes_.Stores(*number), StallKind::kDrain, drains);
    }
  }

  Charged Finish() && { return std::move(charged_); }

 private:
  void TakeThrottle(std::uint32_t number, const StallTime& time) {
    if (time.all == Cycles(0)) return;
    Give(number, StallKind::kThrottle, time);
  }

  void Give(std::uint32_t number, StallKind kind, const StallTime& time) {
    if (causes_.IsAccess(number)) {
      charged_.accesses[Causes::PcOf(number)][kind] += time;
    } else {
      charged_.others += time;
    }
  }

  void Share(const std::vector<std::uint32_t>& causes, StallKind kind, const StallTime& time) {
    if (causes.empty()) {
      charged_.unattributed += time;
      return;
    }
    std::vector<std::uint64_t> weights;
    weights.reserve(causes.size());
    for (const std::uint32_t cause : causes) {
      weights.push_back(weight_(Causes::PcOf(cause)).count());
    }
    const std::vector<std::uint64_t> all = Split(time.all.count(), weights);
    const std::vector<std::uint64_t> exposed = Split(time.exposed.count(), weights);
    for (std::size_t i = 0; i < causes.size(); ++i) {
      Give(causes[i], kind, {Cycles(all[i]), Cycles(exposed[i])});
    }
  }

  Causes& causes_;
  const Weight& weight_;
  Charged charged_;
};

}  // namespace

StallTime Charged::Sum() const {
  StallTime sum = others;
  sum += unattributed;
  for (const auto& [pc, stalls] : accesses) sum += stalls.Sum();
  return sum;
}

SampledCubin::SampledCubin(std::string_view cubin) {
  Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(cubin);
  if (elf.ok()) image_ = std::make_unique<const CodeImage>(std::move(elf).value());
}

SampledCubin::~SampledCubin() = default;

Charged SampledCubin::Charge(std::string_view name, const StallsByPc& stalls,
                             const Weight& weight) const {
  Charged nobody;
  for (const auto& [pc, times] : stalls) nobody.unattributed += times.Sum();
  if (image_ == nullptr) return nobody;
  const std::optional<std::size_t> section = image_->FindFunction(name);
  if (!section || image_->sm() < cubin::kOldestSm) return nobody;
  Causes causes(*image_, *section);
  StallCharger charger(causes, weight);
  for (const auto& [pc, times] : stalls) charger.Take(pc, times);
  return std::move(charger).Finish();
}

}  // namespace coalcheck::cost
