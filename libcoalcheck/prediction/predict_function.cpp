// SPDX-License-Identifier: Apache-2.0
//
// Joins what several kernels ask for in a function, access by access.
#include "libcoalcheck/prediction/predict_function.h"

#include <algorithm>
#include <map>
#include <set>

#include "libcoalcheck/cubin/ptx_text.h"
#include "libcoalcheck/prediction/given_launch.h"
#include "libcoalcheck/prediction/same_build.h"

namespace coalcheck::prediction {
namespace {

using address::LanePart;

std::uint32_t NumberOf(std::uint32_t offset, const std::vector<ptx::Parameter>& parameters) {
  for (std::uint32_t i = 0; i < parameters.size(); ++i) {
    const bool is_behind = offset >= parameters[i].offset;
    if (is_behind && offset - parameters[i].offset < parameters[i].bytes) return i;
  }
  return static_cast<std::uint32_t>(parameters.size());
}

// One of the instructions that the assembler made of one of the PTX.
struct Copy {
  std::uint32_t number = 0;  // from 0
  std::uint32_t copies = 1;
};

// By where they stand.
std::map<PcOffset, Copy> CopiesIn(const cubin::Function& function,
                                  const address::AccessFormulas& formulas) {
  std::map<std::uint32_t, std::uint32_t> copies;
  std::map<PcOffset, Copy> all;
  for (const cubin::GlobalAccess& access : function.accesses) {
    all[access.pc].number = copies[formulas.InstructionAt(access.pc)]++;
  }
  for (auto& [pc, copy] : all) copy.copies = copies[formulas.InstructionAt(pc)];
  return all;
}

// Which copy executes which round is not known: each gets an equal part, in whole numbers.
Counts PartOf(const Counts& all, const Copy& copy) {
  // Of the first `copies`.
  const auto sum = [&copy](std::uint64_t number, std::uint64_t copies) {
    return number / copy.copies * copies + number % copy.copies * copies / copy.copies;
  };
  const auto part = [&](std::uint64_t number) {
    return sum(number, copy.number + 1) - sum(number, copy.number);
  };
  Counts counts;
  counts.requests = Requests(part(all.requests.count()));
  counts.lanes = Lanes(part(all.lanes.count()));
  counts.sectors = Sectors(part(all.sectors.count()));
  counts.ideal = std::min(Sectors(part(all.ideal.count())), counts.sectors);
  counts.lines = CacheLines(part(all.lines.count()));
  return counts;
}

class AccessJoin {
 public:
  AccessJoin(const address::AccessFormulas& formulas, Copy copy)
      : formulas_(formulas), copy_(copy) {}

  AccessPrediction Of(const cubin::GlobalAccess& access,
                      const std::vector<const KernelPrediction*>& kernels) {
    const std::uint32_t instruction = formulas_.InstructionAt(access.pc);
    if (instruction == ptx::kNone) {
      AccessPrediction prediction;
      const bool is_special = cubin::ReadSpecialAccess(access.ptx).has_value();
      prediction.open.why =
          is_special ? cubin::kSpecialAccess : "it was not made of an access in the PTX";
      return prediction;
    }
    instruction_ = &formulas_.function().instructions[instruction];
    if (instruction_->is_kept_unevenly) {
      AccessPrediction prediction;
      prediction.open.why = "the assembler made loads of different widths of it";
      return prediction;
    }
    AddLoads(formulas_.LanesOf(instruction));
    for (const KernelPrediction* kernel : kernels) Add(*kernel);
    if (!is_held_) prediction_.open.why = "no kernel in the file is known to call it";
    if (is_held_ && !is_found_) {
      prediction_.open.is_passed_by = !is_too_large_;
      prediction_.open.why = is_too_large_
                                 ? "its address depends on more registers than are followed"
                                 : "no warp that was followed comes to it";
    }
    const Extremes all = sums_.All();
    prediction_.least = PartOf(address::CountsOf(all.least()), copy_);
    prediction_.most = PartOf(address::CountsOf(all.most()), copy_);
    prediction_.open.ptx_lines.assign(lines_.begin(), lines_.end());
    prediction_.open.parameters.assign(parameters_.begin(), parameters_.end());
    return prediction_;
  }

 private:
  void AddLoads(const LanePart& lanes) {
    if (lanes.kind != LanePart::Kind::kLoaded) return;
    prediction_.open.lanes_by_data = true;
    for (const std::uint32_t load : lanes.loads) {
      lines_.insert(formulas_.function().instructions[load].line);
    }
  }

  void Add(const KernelPrediction& kernel) {
    const bool is_own = kernel.kernel() == formulas_.function().name;
    if (!is_own && !kernel.Holds(*instruction_)) return;
    is_held_ = true;
    is_too_large_ = is_too_large_ || kernel.is_too_large();
    const PredictedSums* sums = kernel.Find(*instruction_);
    if (sums == nullptr) return;
    is_found_ = true;
    prediction_.by_stores = prediction_.by_stores || sums->by_stores;
    prediction_.by_rounds = prediction_.by_rounds || sums->by_rounds;
    if (sums->round_block) prediction_.round_block = sums->round_block;
    prediction_.open.is_cut = prediction_.open.is_cut || sums->is_cut;
    // Of kernels of which nothing is given, each may be the only one that is launched.
    sums_.given_least.Add(sums->given_least);
    sums_.given_most.Add(sums->given_most);
    sums_.possible.Include(sums->possible);
    lines_.insert(sums->ptx_lines.begin(), sums->ptx_lines.end());
    if (!sums->ptx_lines.empty() && sums->lanes_open > 0) prediction_.open.lanes_by_data = true;
    prediction_.open.has_variables = prediction_.open.has_variables || sums->has_variables;
    AddParameters(*sums, kernel);
  }

  // Those of the first kernel alone: others have others.
  void AddParameters(const PredictedSums& sums, const KernelPrediction& kernel) {
    std::string& named = prediction_.open.kernel;
    if (named.empty()) named = kernel.kernel();
    if (named != kernel.kernel()) return;
    prediction_.open.names = kernel.parameter_names();
    for (const std::uint32_t offset : sums.parameters) {
      if (std::ranges::binary_search(kernel.pointers(), offset)) continue;
      parameters_.insert(NumberOf(offset, kernel.parameters()));
    }
  }

  const address::AccessFormulas& formulas_;
  const Copy copy_;
  const ptx::Instruction* instruction_ = nullptr;
  AccessPrediction prediction_;
  PredictedSums sums_;  // the counts alone
  std::set<std::uint32_t> lines_, parameters_;
  bool is_held_ = false, is_found_ = false, is_too_large_ = false;
};

// A function may be called by each of them.
std::optional<address::Extent> BlockOf(const std::vector<const KernelPrediction*>& kernels) {
  std::vector<address::Extent> blocks;
  for (const KernelPrediction* kernel : kernels) {
    if (!kernel->block()) return std::nullopt;
    blocks.push_back(*kernel->block());
  }
  return CommonBlock(blocks);
}

}  // namespace

FunctionPrediction PredictFunction(const cubin::Function& function,
                                   const address::AccessFormulas& formulas,
                                   const std::vector<const KernelPrediction*>& kernels) {
  FunctionPrediction result;
  const std::string why_not =
      formulas.why_not().empty() ? WhyOtherBuild(function, formulas) : formulas.why_not();
  const std::map<PcOffset, Copy> copies = CopiesIn(function, formulas);
  for (const cubin::GlobalAccess& access : function.accesses) {
    AccessPrediction& prediction = result.accesses[access.pc];
    if (why_not.empty()) {
      prediction = AccessJoin(formulas, copies.at(access.pc)).Of(access, kernels);
    } else {
      prediction.open.why = why_not;
    }
  }
  result.calls_unseen = std::ranges::any_of(
      kernels, [](const KernelPrediction* kernel) { return kernel->calls_unseen(); });
  result.block = BlockOf(kernels);
  if (function.is_kernel && why_not.empty() && !kernels.empty()) {
    for (const GivenLaunch& launch : kernels.front()->given()) {
      result.given.push_back(AsCounted(launch, function, formulas));
    }
  }
  std::set<std::string> assumed;
  for (const KernelPrediction* kernel : kernels) {
    result.is_by_comment = result.is_by_comment || kernel->is_by_comment();
    for (const std::string& launch : kernel->assumed()) {
      const bool is_new = assumed.insert(launch).second;
      if (is_new) result.assumed += (result.assumed.empty() ? "" : "; ") + launch;
    }
  }
  return result;
}

}  // namespace coalcheck::prediction
