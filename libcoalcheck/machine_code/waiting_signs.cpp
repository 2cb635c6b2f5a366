// SPDX-License-Identifier: Apache-2.0
//
// Looks at every loop of a kernel and of the functions it may call.
#include "libcoalcheck/machine_code/waiting_signs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/advancing_atomics.h"
#include "libcoalcheck/machine_code/code_section.h"
#include "libcoalcheck/machine_code/counted_loop.h"
#include "libcoalcheck/machine_code/dependence.h"
#include "libcoalcheck/machine_code/lane_masks.h"
#include "libcoalcheck/machine_code/loops.h"

namespace coalcheck::machine_code {
namespace {

// How often an instruction may be looked at, on average: compiled code needs a few dozen. Code that
// needs more is nested as no compiler nests it.
constexpr std::uint64_t kMostVisits = 2000;
// How many instructions and symbols the calls of one kernel may make it look at. Functions that
// call each other through pointers, hundreds of them, would need far more.
constexpr std::uint64_t kMostCallWork = 4'000'000;
// How many instructions the masks of one kernel may make it look at. Compiled code needs hundreds.
constexpr std::uint64_t kMostMaskWork = 200'000;

// What all kernels of a cubin may take together, in instructions that are looked at: some, and so
// many for each that it has.
constexpr std::uint64_t kLeastWork = 20'000'000;
constexpr std::uint64_t kWorkOfWord = 48;
// The cost of decoding an instruction and adding it to the graph, in the same unit.
constexpr std::uint64_t kWorkToDecode = 8;

// In the place of an instruction: all calls through registers.
constexpr std::uint32_t kThroughRegister = 0xffffffff;

// Takes from `left`, and says whether that was there.
bool Spend(std::uint64_t work, std::uint64_t& left) {
  const bool has_room = work <= left;
  left -= std::min(work, left);
  return has_room;
}

// A section with its graph.
struct Section {
  CodeSection code;
  ControlFlow flow;
  LaneEvaluator::Entries entries;
};

// What a call may do, with all that is called from there.
struct CallSearch {
  CallEffects effects;
  std::vector<FunctionAddress> open;
  std::set<FunctionAddress> seen;
  std::set<std::size_t> with_registers;  // sections whose calls through registers were followed
};

class Search {
 public:
  // `work_left` of the whole cubin.
  Search(const CodeImage& image, std::uint64_t& work_left)
      : image_(image), work_left_(work_left), mask_work_left_(std::min(kMostMaskWork, work_left)) {}

  WaitingSigns Run(std::string_view kernel) {
    const std::optional<std::size_t> section = image_.FindFunction(kernel);
    const bool decoded = image_.sm() >= cubin::kOldestSm && image_.sm() <= cubin::kNewestSm;
    if (!section || !decoded) return {WaitingSign::kUnreadable};
    Want({*section, 0});
    while (!wanted_.empty() && !Exhausted()) {
      const std::size_t next = wanted_.front();
      wanted_.pop_front();
      Examine(next);
    }
    return signs_;
  }

 private:
  void Want(const FunctionAddress& function) {
    if (sections_.find(function.section) != sections_.end()) return;
    Open(function.section);
    wanted_.push_back(function.section);
  }

  // The entries of the section: its own functions, functions that it calls inside itself, and
  // targets of pointers.
  void Open(std::size_t number) {
    auto section = std::make_unique<Section>();
    section->code = image_.Decode(number);
    Spend(kWorkToDecode * (section->code.words.size() + section->code.read_beside + 1), work_left_);
    std::vector<std::int64_t> entries = section->code.Entries();
    const std::vector<Instruction>& instructions = section->code.instructions;
    const bool indirect =
        std::any_of(instructions.begin(), instructions.end(),
                    [](const Instruction& one) { return one.flow == Flow::kCallRegister; });
    if (indirect) {
      Spend(image_.symbols(), work_left_);
      const std::vector<std::int64_t> inner = image_.InnerFunctions(number);
      entries.insert(entries.end(), inner.begin(), inner.end());
      std::sort(entries.begin(), entries.end());
      entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    }
    section->flow =
        BuildControlFlow(section->code.instructions, section->code.jump_tables, entries);
    Spend(section->flow.ways, work_left_);
    section->entries = CallsOf(*section, entries, indirect);
    sections_[number] = std::move(section);
  }

  // The calls of each function of the section; empty for functions that other sections may call
  // too.
  static LaneEvaluator::Entries CallsOf(const Section& section,
                                        const std::vector<std::int64_t>& entries, bool indirect) {
    LaneEvaluator::Entries calls;
    for (const std::int64_t entry : entries) {
      if (const auto block = section.flow.BlockAt(entry)) calls[*block] = {};
    }
    if (indirect) return calls;
    const auto& instructions = section.code.instructions;
    for (std::uint32_t n = 0; n < instructions.size(); ++n) {
      if (instructions[n].flow != Flow::kCall || instructions[n].target == 0) continue;
      if (const auto block = section.flow.BlockAt(instructions[n].target)) {
        calls[*block].push_back(n);
      }
    }
    return calls;
  }

  // The functions that the call at instruction number `n` may reach. Valid until the next call.
  std::span<const FunctionAddress> Callees(std::size_t number, std::uint32_t n) {
    const CodeSection& code = sections_[number]->code;
    const Instruction& instruction = code.instructions[n];
    const auto pc = static_cast<std::int64_t>(n * sizeof(Word));
    switch (instruction.flow) {
      case Flow::kCall:
        only_callee_ = {number, instruction.target};
        return {&only_callee_, 1};
      case Flow::kCallSymbol: {
        const auto named = code.named_calls.find(pc);
        if (named != code.named_calls.end()) return {&named->second, 1};
        const auto& unknown = code.unknown_calls;
        if (std::binary_search(unknown.begin(), unknown.end(), pc)) {
          signs_.Add(WaitingSign::kUnreadable);
        }
        return {};
      }
      case Flow::kCallRegister:
        if (HasUnknownFunctions()) signs_.Add(WaitingSign::kUnreadable);
        return IndirectTargets(number);
      default:
        return {};
    }
  }

  bool CallsRegister(std::size_t number, std::uint32_t n) {
    return sections_[number]->code.instructions[n].flow == Flow::kCallRegister;
  }

  bool HasUnknownFunctions() {
    if (!has_unknown_functions_) {
      Spend(image_.symbols(), work_left_);
      has_unknown_functions_ = image_.HasUnknownFunctions();
    }
    return *has_unknown_functions_;
  }

  const std::vector<FunctionAddress>& IndirectTargets(std::size_t number) {
    const auto [known, fresh] = indirect_targets_.try_emplace(number);
    if (fresh) {
      Spend(image_.symbols(), work_left_);
      known->second = image_.IndirectTargets(number);
    }
    AddCallWork(known->second.size());
    return known->second;
  }

  void AddCallWork(std::uint64_t work) {
    call_work_ += work;
    Spend(work, work_left_);
  }

  // What has not been looked at may wait.
  bool Exhausted() {
    if (call_work_ <= kMostCallWork && work_left_ > 0) return false;
    signs_.Add(WaitingSign::kUnreadable);
    return true;
  }

  void Examine(std::size_t number) {
    const Section& section = *sections_[number];
    if (!section.flow.readable) signs_.Add(WaitingSign::kUnreadable);
    if (!WantCallees(number)) return;
    steps_left_ = std::min(steps_left_ + kMostVisits * (section.code.words.size() + 1), work_left_);
    const std::uint64_t most = 64 * (section.flow.blocks.size() + 1);
    const bool complete =
        VisitLoops(section.flow.blocks, most,
                   [&](std::span<const std::uint32_t> loop) { ExamineLoop(number, loop); });
    if (!complete) signs_.Add(WaitingSign::kUnreadable);
    const CodeView view = ViewOf(number);
    const std::uint64_t before = mask_work_left_;
    if (WaitsForOtherLanes({view, section.flow.block_of, section.entries}, mask_work_left_)) {
      signs_.Add(WaitingSign::kOtherLanes);
    }
    Spend(before - mask_work_left_, work_left_);
    post_dominators_.clear();
  }

  // Those through registers are the same for each call. False where there are too many.
  bool WantCallees(std::size_t number) {
    bool has_indirect = false;
    for (const Block& block : sections_[number]->flow.blocks) {
      const std::uint32_t last = block.end - 1;
      if (!block.reached) continue;
      if (CallsRegister(number, last) && std::exchange(has_indirect, true)) continue;
      for (const FunctionAddress& callee : Callees(number, last)) {
        if (Exhausted()) return false;
        Want(callee);
      }
    }
    return true;
  }

  CodeView ViewOf(std::size_t number) {
    const Section& section = *sections_[number];
    return {
        section.code.words,
        section.code.instructions,
        section.flow.blocks,
        post_dominators_,
        image_.sm(),
        [this, number](std::uint32_t n) -> const CallEffects& { return EffectsOfCall(number, n); }};
  }

  CallEffects EffectsIn(std::size_t number, std::span<const std::uint32_t> loop) {
    const Section& section = *sections_[number];
    const CodeView view = ViewOf(number);
    CallEffects all;
    for (const std::uint32_t block : loop) {
      const Block& at = section.flow.blocks[block];
      for (std::uint32_t n = at.begin; n < at.end; ++n)
        all.Add(section.code.instructions[n].effect);
      if (view.IsCall(at.end - 1)) all.Add(EffectsOfCall(number, at.end - 1));
      if (Exhausted()) break;
    }
    return all;
  }

  bool FindPostDominators(std::size_t number) {
    if (!post_dominators_.empty()) return true;
    const std::uint64_t before = steps_left_;
    post_dominators_ = PostDominators(sections_[number]->flow.blocks, steps_left_);
    Spend(before - steps_left_, work_left_);
    return !post_dominators_.empty();
  }

  void ExamineLoop(std::size_t number, std::span<const std::uint32_t> loop) {
    const CallEffects effects = EffectsIn(number, loop);
    const bool looks_again = effects.fence || effects.nanosleep || effects.barrier;
    if (!effects.strong_load && !effects.returning_atomic && !(effects.weak_load && looks_again)) {
      return;
    }
    if (!FindPostDominators(number)) return signs_.Add(WaitingSign::kUnreadable);
    const CodeView view = ViewOf(number);
    const std::uint64_t before = steps_left_;
    const auto deciding = FindDecidingSources(view, loop, steps_left_);
    const auto decides = [&deciding](Source source) {
      return deciding[static_cast<std::size_t>(source)];
    };
    WaitingSigns found;
    if (decides(Source::kStrongLoad)) found.Add(WaitingSign::kStrongLoad);
    // Threads that take work from a queue come to its end without each other.
    if (decides(Source::kReturningAtomic) && !OnlyCountsOn(view, loop, steps_left_)) {
      found.Add(WaitingSign::kReturningAtomic);
    }
    // A bound that is read anew does not keep a loop from coming to its end by counting.
    if (decides(Source::kWeakLoad) && looks_again && !EndsByCounting(view, loop, steps_left_)) {
      found.Add(WaitingSign::kRereadWeakLoad);
    }
    Spend(before - steps_left_, work_left_);
    if (found.any() && effects.fence) found.Add(WaitingSign::kFence);
    if (found.any() && effects.nanosleep) found.Add(WaitingSign::kNanosleep);
    signs_.Add(found);
  }

  // What the call at instruction `n` may do, with all that is called from there.
  const CallEffects& EffectsOfCall(std::size_t number, std::uint32_t n) {
    const std::uint32_t call = CallsRegister(number, n) ? kThroughRegister : n;
    const auto [known, fresh] = effects_of_calls_.try_emplace({number, call});
    if (!fresh) return known->second;
    CallSearch search;
    AddCallees(number, n, search);
    while (!search.open.empty() && !Exhausted()) {
      const FunctionAddress function = search.open.back();
      search.open.pop_back();
      if (!search.seen.insert(function).second) continue;
      if (sections_.find(function.section) == sections_.end()) Want(function);
      AddFunction(function, search);
    }
    return known->second = search.effects;
  }

  // Adds the functions that the call at instruction `n` may reach to those that are searched; those
  // through registers are the same for each call of a section.
  void AddCallees(std::size_t number, std::uint32_t n, CallSearch& search) {
    if (CallsRegister(number, n) && !search.with_registers.insert(number).second) return;
    const std::span<const FunctionAddress> callees = Callees(number, n);
    search.open.insert(search.open.end(), callees.begin(), callees.end());
  }

  // What the blocks of one function do, and the functions that it calls.
  void AddFunction(const FunctionAddress& function, CallSearch& search) {
    const Section& section = *sections_[function.section];
    const auto first = static_cast<std::uint64_t>(function.offset) / sizeof(Word);
    if (function.offset < 0 || first >= section.code.words.size()) return;
    std::vector<std::uint32_t> open{section.flow.block_of[first]};
    std::set<std::uint32_t> seen{open.front()};
    while (!open.empty() && !Exhausted()) {
      const Block& block = section.flow.blocks[open.back()];
      open.pop_back();
      AddCallWork(block.end - block.begin);
      for (std::uint32_t n = block.begin; n < block.end; ++n) {
        search.effects.Add(section.code.instructions[n].effect);
        for (const LocationRange& range : ReadOperands(section.code.words[n], image_.sm()).writes) {
          search.effects.writes.Add(range.first, range.count);
        }
      }
      if (section.code.instructions[block.end - 1].flow == Flow::kExit) search.effects.exits = true;
      AddCallees(function.section, block.end - 1, search);
      for (const std::uint32_t to : block.successors) {
        if (seen.insert(to).second) open.push_back(to);
      }
    }
  }

  const CodeImage& image_;
  std::uint64_t& work_left_;
  std::optional<bool> has_unknown_functions_;
  std::map<std::size_t, std::unique_ptr<Section>> sections_;
  std::deque<std::size_t> wanted_;
  std::map<std::pair<std::size_t, std::uint32_t>, CallEffects> effects_of_calls_;
  std::vector<std::uint32_t> post_dominators_;  // of the section that is being examined
  std::uint64_t steps_left_ = 0;
  std::uint64_t mask_work_left_ = 0;
  std::map<std::size_t, std::vector<FunctionAddress>> indirect_targets_;
  FunctionAddress only_callee_;
  std::uint64_t call_work_ = 0;
  WaitingSigns signs_;
};

}  // namespace

std::string_view ToString(WaitingSign sign) {
  switch (sign) {
    case WaitingSign::kStrongLoad:
      return "strong load";
    case WaitingSign::kReturningAtomic:
      return "returning atomic";
    case WaitingSign::kFence:
      return "fence";
    case WaitingSign::kNanosleep:
      return "nanosleep";
    case WaitingSign::kRereadWeakLoad:
      return "weak load read again";
    case WaitingSign::kOtherLanes:
      return "mask of other lanes";
    case WaitingSign::kUnreadable:
      return "unreadable";
  }
  return "unknown";
}

WaitingSignFinder::WaitingSignFinder(std::string_view cubin) {
  Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(cubin);
  if (!elf.ok() || elf.value().machine() != cubin::kMachineCuda) return;
  image_ = std::make_unique<const CodeImage>(std::move(elf).value());
  work_left_ = kLeastWork + kWorkOfWord * (cubin.size() / sizeof(Word));
}

WaitingSignFinder::~WaitingSignFinder() = default;

WaitingSigns WaitingSignFinder::Find(std::string_view kernel) {
  if (image_ == nullptr || work_left_ == 0) return {WaitingSign::kUnreadable};
  return Search(*image_, work_left_).Run(kernel);
}

WaitingSigns FindWaitingSigns(std::string_view cubin, std::string_view kernel) {
  return WaitingSignFinder(cubin).Find(kernel);
}

}  // namespace coalcheck::machine_code
