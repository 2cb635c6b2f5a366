// SPDX-License-Identifier: Apache-2.0
//
// Function by function, so that one cubin is open at a time.
#include "libcoalcheck/findings/sources/attribution.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/hash/hash.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "libcoalcheck/address/parameter_types.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/cubin/accesses_by_line.h"
#include "libcoalcheck/findings/sources/array_users.h"
#include "libcoalcheck/findings/sources/bulk_copies.h"
#include "libcoalcheck/findings/sources/made_from.h"
#include "libcoalcheck/findings/sources/source_lines.h"
#include "libcoalcheck/findings/sources/uncounted.h"
#include "libcoalcheck/findings/words/array_words.h"
#include "libcoalcheck/findings/words/element_words.h"
#include "libcoalcheck/findings/words/step_words.h"
#include "libcoalcheck/moves/arrays.h"

namespace coalcheck::findings {
namespace {

// A report keeps and shows kilobytes of each access, and copies of its inline chain.
constexpr std::size_t kMostAccesses = 25'000;
constexpr std::size_t kMostChainBytes = std::size_t{128} << 20U;
std::size_t BytesOf(const std::vector<Frame>& chain) {
  std::size_t bytes = 0;
  for (const Frame& one : chain) bytes += sizeof(one) + one.function.size() + one.file.size();
  return bytes;
}

// What makes two instructions one access.
struct AccessKey {
  std::string kernel;
  cubin::AccessKind kind;
  std::vector<Frame> chain;
  // Only without line information, where only the pc identifies an instruction; else 0.
  CubinId cubin;
  PcOffset pc;
  std::uint32_t sm = 0;  // as InstructionAggregate::sm
  friend bool operator==(const AccessKey&, const AccessKey&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const AccessKey& key) {
    return H::combine(std::move(state), key.kernel, key.kind, key.chain, key.cubin, key.pc, key.sm);
  }
};

std::string_view TypeOf(const std::optional<std::uint32_t>& parameter,
                        const std::vector<std::string>& types) {
  return parameter && *parameter < types.size() ? std::string_view(types[*parameter])
                                                : std::string_view();
}

class Attributor {
 public:
  Attributor(const Aggregate& aggregate, Code& code, const SourceView& source)
      : aggregate_(aggregate), code_(code), source_(source) {}

  Attribution Run() && {
    std::uint64_t launches = 0;
    for (const auto& [key, function] : aggregate_.functions) launches += function.counted.size();
    code_.Expect(launches);
    for (const auto& [key, function] : aggregate_.functions) Take(key, function);
    TakeSilentKernels();
    users_.Finish(result_.moves);
    return std::move(result_);
  }

 private:
  // A function while its counts are taken.
  struct Taken {
    const FunctionKey& key;  // with a cubin
    const cubin::Function& function;
    const Explanations* explanations;
    std::vector<std::string> types;  // of its parameters
    std::vector<std::string> parameters;
    absl::flat_hash_set<std::size_t> touched;                     // accesses that it has a part in
    std::map<std::uint32_t, std::set<std::size_t>> instructions;  // of the PTX: their accesses

    address::FormulaNames names() const { return {types, {}, parameters}; }
  };

  void Take(const FunctionKey& key, const FunctionAggregate& counted) {
    const auto& [cubin, name] = key;
    if (!cubin) return Leave(key, counted, {nullptr, UnattributedCause::kCubinUnknown, ""});
    NoteStamps(*cubin);
    const FunctionLookup lookup = code_.Find(*cubin, name);
    if (lookup.function == nullptr) return Leave(key, counted, lookup);
    by_line_.reset();
    if (!lookup.function->has_lines) result_.kernels_without_lines.push_back(name);
    Taken taken{key, *lookup.function, code_.Explain(*cubin, name, counted), {}, {}, {}, {}};
    if (taken.function.is_kernel) taken.types = address::ParameterTypes(Demangle(name));
    taken.parameters = NamesOf(taken.function, taken.explanations);
    TakeInstructions(counted, taken);
    if (taken.explanations != nullptr) {
      AddMoves(key, *taken.explanations, taken.names(), taken.instructions);
      AddUncounted(taken.explanations->uncounted(), taken.instructions, result_.accesses);
    }
    if (uncounted_in_.insert(name).second) {
      AddLocalMemory(*lookup.function);
      AddBulkCopies(*lookup.function, source_, result_.bulk_copies);
    }
  }

  void TakeInstructions(const FunctionAggregate& counted, Taken& taken) {
    const auto& [cubin, name] = taken.key;
    Unattributed strays{UnattributedCause::kNoGlobalAccess, name, cubin, "", 0, {}};
    Unattributed beyond{UnattributedCause::kCubinUnreadable, name, cubin,
                        "a report holds no more accesses",   0,    {}};
    for (const auto& [pc, instruction] : counted.instructions) {
      const cubin::GlobalAccess* found = cubin::Cubin::FindAccess(taken.function, pc);
      const std::optional<std::size_t> place =
          found == nullptr ? std::nullopt
                           : AccessFor(name, taken.function, *cubin, *found, instruction.sm);
      if (!place) {
        Unattributed& left = found == nullptr ? strays : beyond;
        ++left.instructions;
        left.counts += instruction.counts.OfUnknownKind();
        continue;
      }
      TakeInstruction(*found, instruction, *place, taken);
      if (taken.touched.insert(*place).second) AddLaunches(counted, result_.accesses[*place]);
    }
    if (beyond.instructions > 0) result_.unattributed.push_back(std::move(beyond));
    if (strays.instructions > 0) result_.unattributed.push_back(std::move(strays));
  }

  // As a part of the access at `place`.
  void TakeInstruction(const cubin::GlobalAccess& found, const InstructionAggregate& instruction,
                       std::size_t place, Taken& taken) {
    Access& access = result_.accesses[place];
    AddInstruction(taken.key, found, instruction, taken.explanations, access);
    if (taken.explanations == nullptr) return;
    AddressText& text = access.instructions.back().address_text;
    text = TextOf(taken.function, found, *taken.explanations, access.shown, taken.names());
    users_.Note(taken.key.second, *taken.explanations, text.pointer);
    if (access.instructions.back().standing == Standing::kContradicted) text.ForgetLanes();
    taken.instructions[taken.explanations->formulas().InstructionAt(found.pc)].insert(place);
  }

  // A kernel in which nothing was counted may have its data moved by the accelerator alone.
  void TakeSilentKernels() {
    std::set<std::string_view> silent;
    for (const auto& [name, kernel] : aggregate_.kernels) {
      if (kernel.checked > Launches(0)) silent.insert(name);
    }
    for (const auto& [key, function] : aggregate_.functions) silent.erase(key.second);
    if (silent.empty()) return;
    for (const auto& [cubin, programs] : aggregate_.programs) {
      for (const cubin::Function& one : code_.FunctionsOf(cubin)) {
        if (one.bulk.empty() || !silent.contains(one.name)) continue;
        if (uncounted_in_.insert(std::string(one.name)).second)
          AddBulkCopies(one, source_, result_.bulk_copies);
      }
    }
  }

  // `instructions`: the accesses that each instruction of the PTX is in.
  void AddMoves(const FunctionKey& key, const Explanations& explanations,
                const address::FormulaNames& names,
                const std::map<std::uint32_t, std::set<std::size_t>>& instructions) {
    const TriedLaunch* tried = explanations.tried();
    if (tried == nullptr) return;
    for (const moves::FetchedAgain& one : tried->fetched_again) {
      const auto found = instructions.find(one.instruction);
      if (found == instructions.end() || found->second.empty()) continue;
      result_.fetched_again.push_back({*found->second.begin(), one.times, one.tile, one.loads});
    }
    // Nothing is wasted.
    if (!tried->moves.tried && tried->moves.why_not.empty()) return;
    KernelMoves all{key.second, *key.first, tried->grid, tried->block, tried->moves.why_not, {}};
    const auto add = [&](const moves::Move& move, bool helps) {
      KernelMove& one = all.moves.emplace_back(KernelMove{move, helps, {}, {}, {}});
      one.array = ArraysWords(move.parameters, names.parameter_names);
      const auto first = move.parameters.empty() ? std::nullopt : std::optional(move.parameters[0]);
      one.elements = ElementWords(TypeOf(first, names.parameter_types), move.width);
      one.move.changes.clear();
      std::map<std::size_t, AccessChange> changes;
      for (const moves::Change& change : move.changes) {
        const auto found = instructions.find(change.instruction);
        if (found == instructions.end() || found->second.empty()) continue;
        AccessChange& access = changes[*found->second.begin()];
        access.access = *found->second.begin();
        access.before.Add(change.before);
        access.after.Add(change.after);
        access.at_most = access.at_most || change.at_most;
        access.vector = std::max(access.vector, change.vector);
      }
      for (const auto& [number, change] : changes) one.accesses.push_back(change);
    };
    for (const moves::Move& move : tried->moves.helpful) add(move, true);
    for (const moves::Move& move : tried->moves.rejected) add(move, false);
    result_.moves.push_back(std::move(all));
  }

  // Several builds of one function are looked at once.
  void AddLocalMemory(const cubin::Function& function) {
    std::map<std::optional<Frame>, LocalMemory> lines;
    for (const cubin::UncountedAccess& one : function.local) {
      const std::optional<Frame> shown = Resolve(one.frames, source_).shown;
      LocalMemory& line = lines[shown];
      ++(one.kind == cubin::AccessKind::kLoad ? line.loads : line.stores);
    }
    for (auto& [shown, line] : lines) {
      line.kernel = function.name;
      line.shown = shown;
      result_.local_memory.push_back(std::move(line));
    }
  }

  AddressText TextOf(const cubin::Function& function, const cubin::GlobalAccess& access,
                     const Explanations& explanations, const std::optional<Frame>& shown,
                     address::FormulaNames names) {
    names.line = [&](std::uint32_t line) {
      return LineName(LineOf(function, line), shown ? shown->file : "", line);
    };
    AddressText text;
    text.expression = explanations.formulas().WordsAt(access.pc, names);
    text.lanes = explanations.formulas().LaneWordsAt(access.pc, access.width, names);
    AddArray(access, explanations, names, text);
    for (const std::uint32_t line : explanations.At(access.pc).data_lines) {
      std::optional<Frame> source = LineOf(function, line);
      const bool is_new = source && std::ranges::find(text.loads, *source) == text.loads.end();
      if (is_new) text.loads.push_back(*std::move(source));
    }
    return text;
  }

  // Functions come cubin by cubin.
  void NoteStamps(CubinId cubin) {
    if (!source_.stamp_of || cubin == stamps_of_) return;
    stamps_of_ = cubin;
    stamps_ = cubin::SourceStampsOf(code_.Bytes(cubin));
  }

  // What the source calls a kernel's parameters, as far as a line of it is known.
  std::vector<std::string> NamesOf(const cubin::Function& function,
                                   const Explanations* explanations) {
    const bool has_code = explanations != nullptr && explanations->formulas().why_not().empty();
    if (!has_code || !function.is_kernel) return {};
    return ParameterNamesOf(function, explanations->formulas().function().parameters, source_,
                            stamps_);
  }

  // The array, and how far apart neighbours are in it.
  static void AddArray(const cubin::GlobalAccess& access, const Explanations& explanations,
                       const address::FormulaNames& names, AddressText& text) {
    const address::AccessFormulas& formulas = explanations.formulas();
    const std::uint32_t instruction = formulas.InstructionAt(access.pc);
    const address::Formula* formula =
        instruction == ptx::kNone ? nullptr : formulas.Of(instruction);
    if (formula == nullptr) return;
    const auto array = moves::PointerIn(formulas.formulas(), *formula);
    text.pointer = array;
    text.index = absl::HashOf(moves::IndexIn(formulas.formulas(), *formula));
    if (array && *array < names.parameter_names.size()) text.array = names.parameter_names[*array];
    text.apart = StepWords(formulas.formulas(), formulas.LanesOf(instruction), access.width,
                           ElementWords(TypeOf(array, names.parameter_types), access.width), names,
                           explanations.values());
  }

  // The source line that a line of the PTX was made of, as far as an access says.
  std::optional<Frame> LineOf(const cubin::Function& function, std::uint32_t ptx_line) {
    if (!by_line_) by_line_.emplace(function);
    const cubin::GlobalAccess* found = by_line_->First(ptx_line);
    if (found == nullptr) return std::nullopt;
    return Resolve(found->frames, source_).shown;
  }

  void Leave(const FunctionKey& key, const FunctionAggregate& counted,
             const FunctionLookup& lookup) {
    Unattributed row{lookup.cause, key.second, key.first, lookup.detail, 0, {}};
    for (const auto& [pc, instruction] : counted.instructions) {
      ++row.instructions;
      row.counts += instruction.counts.OfUnknownKind();
    }
    result_.unattributed.push_back(std::move(row));
  }

  // Empty where it would be one more than a report holds.
  std::optional<std::size_t> AccessFor(const std::string& kernel, const cubin::Function& function,
                                       CubinId cubin, const cubin::GlobalAccess& found,
                                       std::uint32_t sm) {
    Lines lines = Resolve(found.frames, source_);
    AccessKey key{kernel, found.kind, lines.chain, {}, {}, sm};
    if (lines.chain.empty()) {
      key.cubin = cubin;
      key.pc = found.pc;
    }
    const bool is_full = result_.accesses.size() >= kMostAccesses || chain_bytes_ > kMostChainBytes;
    if (is_full && !index_.contains(key)) return std::nullopt;
    const auto [entry, is_new] = index_.try_emplace(std::move(key), result_.accesses.size());
    if (is_new) {
      Access& access = result_.accesses.emplace_back();
      access.kernel = kernel;
      access.is_kernel = function.is_kernel;
      access.kind = found.kind;
      access.shown = std::move(lines.shown);
      if (access.shown) access.made_from = MadeFromOnce(access.shown->file);
      access.chain = std::move(lines.chain);
      chain_bytes_ += BytesOf(access.chain);
      access.sm = sm;
    }
    return entry->second;
  }

  // Many accesses have one file.
  const std::vector<MadeFrom>& MadeFromOnce(const std::string& file) {
    const auto [known, is_new] = made_from_.try_emplace(file);
    if (is_new) known->second = MadeFromOf(file, source_);
    return known->second;
  }

  void AddInstruction(const FunctionKey& key, const cubin::GlobalAccess& found,
                      const InstructionAggregate& counted, const Explanations* explanations,
                      Access& access) {
    const Counts counts = counted.counts.Of(found.kind);
    Instruction& instruction = access.instructions.emplace_back();
    instruction.cubin = *key.first;
    instruction.pc = found.pc;
    instruction.width = found.width;
    instruction.generic = found.generic;
    instruction.ptx = std::string(found.ptx);
    instruction.counts = counts;
    access.counts += counts;
    for (const Variant& variant : counted.variants) {
      patterns::Evidence evidence{found.kind, found.width, variant.counts.Of(found.kind), {}, {}};
      if (explanations != nullptr) {
        Explanation explanation = explanations->At(found.pc, &variant);
        if (&variant == counted.variants.data()) Stand(explanation, instruction);
        evidence.address = std::move(explanation.fact);
      }
      if (variant.block) evidence.block_row = Lanes(variant.block->x);
      if (&variant == counted.variants.data()) instruction.address = evidence.address;
      patterns::AddEvidence(evidence, access.patterns);
    }
  }

  static void Stand(const Explanation& explanation, Instruction& instruction) {
    instruction.standing = explanation.standing;
    instruction.standing_why = explanation.why;
    instruction.totals_held = explanation.totals_held;
    instruction.all_blocks = explanation.all_blocks;
  }

  // Any of the launches in the window may have called a function that is no kernel.
  void AddLaunches(const FunctionAggregate& counted, Access& access) {
    access.windows += counted.windows;
    std::set<std::size_t> sets(access.range_sets.begin(), access.range_sets.end());
    sets.insert(counted.range_sets.begin(), counted.range_sets.end());
    access.range_sets.assign(sets.begin(), sets.end());
    const auto kernel = aggregate_.kernels.find(access.kernel);
    if (kernel != aggregate_.kernels.end()) {
      access.launches_checked = kernel->second.checked;
      access.launches = kernel->second.launches;
      const double threads = kernel->second.threads;
      const double checked = kernel->second.threads_checked;
      const bool is_all = !(checked < threads);
      access.threads_share = std::isinf(threads) ? 0 : is_all ? 1 : checked / threads;
      access.threads_checked = std::isfinite(checked) ? checked : 0;
    } else {
      access.launches_checked += counted.all_inside;
      access.launches = access.launches_checked;
    }
  }

  const Aggregate& aggregate_;
  Code& code_;
  const SourceView& source_;
  Attribution result_;
  absl::flat_hash_map<AccessKey, std::size_t> index_;
  std::size_t chain_bytes_ = 0;                   // of all accesses
  std::optional<cubin::AccessesByLine> by_line_;  // of the function that is being taken
  std::optional<CubinId> stamps_of_;
  cubin::SourceStamps stamps_;          // of that cubin
  std::set<std::string> uncounted_in_;  // functions that were looked at for what nobody counts
  std::map<std::string, std::vector<MadeFrom>> made_from_;  // by file
  ArrayUsers users_;
};

}  // namespace

Attribution Attribute(const Aggregate& aggregate, Code& code, const SourceView& source) {
  return Attributor(aggregate, code, source).Run();
}

}  // namespace coalcheck::findings
