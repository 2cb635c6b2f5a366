// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the launches that are known, or else some that stand for all possible ones.
#include "libcoalcheck/prediction/predict_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "libcoalcheck/address/parameter_types.h"
#include "libcoalcheck/address/straight_line.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/prediction/formula_range.h"
#include "libcoalcheck/prediction/launch_prediction.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;
using address::FormulaKind;
using address::LaunchValues;
using address::Origin;
using address::Sums;

// What may be spent on one function.
constexpr std::uint64_t kStepsOfExample = 40'000;
constexpr std::uint64_t kStepsOfLaunch = 400'000;
constexpr std::size_t kMostSlots = 4096;

// Blocks that stand for all that are a whole number of warps wide.
constexpr Extent kExampleShapes[] = {{128, 1, 1}, {32, 8, 1}, {512, 1, 1}};
constexpr Extent kExampleGrid = {11, 3, 2};

double ShareOf(const Sums& sums) {
  return sums.sectors > 0 ? (sums.sectors - sums.ideal) / sums.sectors : 0;
}

Counts CountsOf(const Sums& sums) {
  const auto number = [](double value) {
    return static_cast<std::uint64_t>(std::llround(std::min(value, 1e18)));
  };
  Counts counts;
  counts.requests = Requests(number(sums.requests));
  counts.lanes = Lanes(number(sums.lanes));
  counts.sectors = Sectors(number(sums.sectors));
  counts.ideal = std::min(Sectors(number(sums.ideal)), counts.sectors);
  counts.lines = CacheLines(number(sums.lines));
  return counts;
}

// Blocks that the kernel may be launched with, as far as its code says.
std::vector<Extent> BlocksOf(const ptx::Function& function) {
  const auto& needed = function.required_threads;
  if (needed[0] != 0) {
    return {{needed[0], std::max(needed[1], 1U), std::max(needed[2], 1U)}};
  }
  const auto& most = function.max_threads;
  const std::uint64_t threads =
      most[0] == 0 ? 1024 : Extent{most[0], std::max(most[1], 1U), std::max(most[2], 1U)}.count();
  std::vector<Extent> blocks;
  for (const Extent& block : kExampleShapes) {
    if (block.count() <= threads) blocks.push_back(block);
  }
  const auto largest = static_cast<std::uint32_t>(threads / kWarpSize * kWarpSize);
  if (blocks.empty()) blocks.push_back({std::max<std::uint32_t>(largest, kWarpSize), 1, 1});
  return blocks;
}

struct Arguments {
  std::string bytes;
  std::string known;  // as LaunchValues::known
};

// What was recorded, and over it what was given by hand.
Arguments ArgumentsOf(const KnownLaunch& launch, const ptx::Function& function,
                      std::vector<std::string>& problems) {
  Arguments arguments;
  arguments.bytes = launch.arguments;
  std::size_t size = arguments.bytes.size();
  for (const ptx::Parameter& one : function.parameters) {
    size = std::max<std::size_t>(size, one.offset + one.bytes);
  }
  arguments.known.assign(arguments.bytes.size(), '\1');
  if (launch.by_number.empty()) return arguments;
  constexpr std::size_t kMostBytes = std::size_t{1} << 16U;
  size = std::min(size, kMostBytes);
  arguments.bytes.resize(size, '\0');
  arguments.known.resize(size, '\0');
  for (const auto& [number, value] : launch.by_number) {
    if (number >= function.parameters.size()) {
      problems.push_back(
          fmt::format("arg{}: it has {} parameters", number + 1, function.parameters.size()));
      continue;
    }
    const ptx::Parameter& one = function.parameters[number];
    if (one.bytes > sizeof(value) || one.offset + one.bytes > size || one.type.IsFloat()) {
      problems.push_back(fmt::format("arg{}: that parameter is no whole number", number + 1));
      continue;
    }
    std::memcpy(arguments.bytes.data() + one.offset, &value, one.bytes);
    std::fill_n(arguments.known.begin() + one.offset, one.bytes, '\1');
  }
  return arguments;
}

class PointerSearch {
 public:
  PointerSearch(const address::AccessFormulas& formulas, std::vector<std::string> types)
      : formulas_(formulas), types_(std::move(types)) {}

  // Parameters that an address begins at.
  void Look(const address::Formula& formula, int depth) {
    constexpr int kMostDepth = 8;
    if (depth > kMostDepth) return;
    const address::FormulaAtoms& atoms = formulas_.formulas().atoms();
    for (const auto& [monomial, coefficient] : formula.terms()) {
      if (monomial.degree() != 1 || coefficient != 1) continue;
      const address::FormulaAtom& atom = atoms[monomial.atom(0)];
      if (atom.kind == FormulaKind::kParameter) Take(atom.a, atom.b);
      if (atom.kind == FormulaKind::kLoaded || !seen_.insert(monomial.atom(0)).second) continue;
      for (const address::Formula& argument : atom.arguments) Look(argument, depth + 1);
    }
  }

  std::vector<std::uint32_t> offsets() const { return {offsets_.begin(), offsets_.end()}; }

 private:
  void Take(std::uint32_t number, std::uint32_t byte) {
    const auto& parameters = formulas_.function().parameters;
    if (number >= parameters.size()) return;
    const bool is_number = number < types_.size() && parameters[number].bytes == 8 &&
                           types_[number].find('*') == std::string::npos &&
                           types_[number].find("long") != std::string::npos;
    if (!is_number) offsets_.insert(parameters[number].offset + byte);
  }

  const address::AccessFormulas& formulas_;
  std::vector<std::string> types_;
  std::set<address::AtomId> seen_;
  std::set<std::uint32_t> offsets_;
};

class FunctionPredictor {
 public:
  FunctionPredictor(const cubin::Function& function, const address::AccessFormulas& formulas)
      : function_(function), formulas_(formulas) {
    std::vector<std::string> types;
    if (function.is_kernel) types = address::ParameterTypes(Demangle(function.name));
    PointerSearch search(formulas, std::move(types));
    for (const cubin::GlobalAccess& access : function.accesses) {
      const std::uint32_t instruction = formulas.InstructionAt(access.pc);
      if (const auto* formula = formulas.formulas().Of(instruction)) search.Look(*formula, 0);
      if (instruction != ptx::kNone) instructions_.insert(instruction);
    }
    pointers_ = search.offsets();
  }

  FunctionPrediction Run(const LaunchesOfKernel* known) {
    const address::Program program(formulas_.function(), formulas_.flow());
    FunctionPrediction result;
    if (program.slots() > kMostSlots) {
      too_large_ = true;
    } else if (known != nullptr && !known->launches.empty()) {
      for (const KnownLaunch& launch : known->launches) RunKnown(program, launch, result);
    } else {
      for (const Extent& block : BlocksOf(formulas_.function())) {
        RunExample(program, {kExampleGrid, block, {}, 0, {}, pointers_}, 1);
      }
    }
    if (is_cut_) PredictByFormula();
    for (const cubin::GlobalAccess& access : function_.accesses) {
      result.accesses.emplace(access.pc, PredictionOf(formulas_.InstructionAt(access.pc)));
    }
    return result;
  }

 private:
  struct Sum {
    AccessRange range;  // of the launches that are known
    bool has = false;
    Sums least, most;  // of the possible ones, the least and the most wasteful
  };

  // What no warp came to is taken to be asked for by whole warps.
  void PredictByFormula() {
    for (const std::uint32_t instruction : instructions_) {
      if (sums_.contains(instruction)) continue;
      const ptx::Function& function = formulas_.function();
      const std::uint32_t width = address::WidthOf(function, function.instructions[instruction]);
      auto range = RangeByFormula(formulas_, instruction, width, pointers_);
      if (!range) continue;
      // Guards were not followed, and may leave out the lane that asks for one sector more.
      const bool is_at_edge = range->least.sectors - range->least.ideal_sectors <= Sectors(1);
      if (is_at_edge) range->least.ideal_sectors = range->least.sectors;
      Sum& sum = sums_[instruction];
      sum.least = SumsOf(range->least);
      sum.most = SumsOf(range->most);
    }
  }

  void RunExample(const address::Program& program, const LaunchValues& values, double times) {
    std::uint64_t steps = kStepsOfExample;
    const LaunchPrediction one = PredictLaunch(program, values, true, steps);
    is_cut_ = true;  // another block may come to what these do not
    for (const auto& [instruction, range] : one.accesses) Take(instruction, range, times);
    RunAlone(one, values, true, times);
  }

  void Take(std::uint32_t instruction, const AccessRange& range, double times) {
    Sum& sum = sums_[instruction];
    if (!sum.has || ShareOf(range.least) < ShareOf(sum.least)) sum.least = range.least;
    if (!sum.has || ShareOf(range.most) > ShareOf(sum.most)) sum.most = range.most;
    sum.has = true;
    sum.range.lanes_open += range.lanes_open * times;
    for (const Origin& origin : range.origins) sum.range.origins.push_back(origin);
  }

  void RunKnown(const address::Program& program, const KnownLaunch& known,
                FunctionPrediction& result) {
    LaunchValues values;
    values.pointers = pointers_;
    values.dynamic_shared_bytes = known.dynamic_shared_bytes;
    const Arguments arguments = ArgumentsOf(known, formulas_.function(), result.problems);
    if (!arguments.bytes.empty()) values.arguments = arguments.bytes;
    values.known = arguments.known;
    if (!known.block) {
      for (const Extent& block : BlocksOf(formulas_.function())) {
        values.block = block;
        values.grid = known.grid.value_or(kExampleGrid);
        RunExample(program, values, 1);
      }
      return;
    }
    values.block = *known.block;
    values.grid = known.grid.value_or(kExampleGrid);
    std::uint64_t steps = kStepsOfLaunch;
    const LaunchPrediction one = PredictLaunch(program, values, !known.grid, steps);
    const bool is_along_warps = known.block->x % kWarpSize == 0;
    is_cut_ = is_cut_ || (!one.is_complete && is_along_warps);
    const auto times = static_cast<double>(known.launches);
    for (const auto& [instruction, range] : one.accesses) AddKnown(instruction, range, times);
    RunAlone(one, values, !known.grid, times);
    const Extent& block = values.block;
    std::string words = fmt::format("block {}x{}x{}", block.x, block.y, block.z);
    if (known.grid) {
      words += fmt::format(", grid {}x{}x{}", values.grid.x, values.grid.y, values.grid.z);
    }
    if (result.assumed.find(words) == std::string::npos) {
      result.assumed += (result.assumed.empty() ? "" : "; ") + words;
    }
  }

  void AddKnown(std::uint32_t instruction, const AccessRange& range, double times) {
    Sum& sum = sums_[instruction];
    sum.has = true;
    sum.least.Add(range.least, times);
    sum.most.Add(range.most, times);
    sum.range.lanes_open += range.lanes_open * times;
    for (const Origin& origin : range.origins) sum.range.origins.push_back(origin);
  }

  // Those that the whole kernel's run did not come to.
  void RunAlone(const LaunchPrediction& whole, const LaunchValues& values, bool is_example,
                double times) {
    if (whole.is_complete && !is_example) return;  // the others are not executed
    std::vector<std::uint32_t> missing;
    for (const std::uint32_t instruction : instructions_) {
      if (!whole.accesses.contains(instruction)) missing.push_back(instruction);
    }
    if (missing.empty()) return;
    const address::StraightLine line = address::StraightLineOf(formulas_.function(), missing);
    if (line.function.instructions.empty()) return;
    const ptx::ControlFlow flow(line.function);
    const address::Program program(line.function, flow);
    std::uint64_t steps = kStepsOfExample;
    LaunchPrediction alone = PredictLaunch(program, values, is_example, steps);
    for (auto& [instruction, range] : alone.accesses) {
      for (Origin& origin : range.origins) {
        if (origin.kind != Origin::Kind::kParameter && origin.place < line.from.size()) {
          origin.place = line.from[origin.place];
        }
      }
      if (is_example) {
        Take(line.from[instruction], range, times);
      } else {
        AddKnown(line.from[instruction], range, times);
      }
    }
  }

  AccessPrediction PredictionOf(std::uint32_t instruction) const {
    AccessPrediction prediction;
    const auto found = sums_.find(instruction);
    const address::LanePart lanes = formulas_.LanesOf(instruction);
    if (lanes.kind == address::LanePart::Kind::kLoaded) AddLoads(lanes.loads, prediction.open);
    prediction.open.lanes_by_data = lanes.kind == address::LanePart::Kind::kLoaded;
    if (instruction == ptx::kNone) {
      prediction.open.why = "it was not made of an access in the PTX";
    } else if (found == sums_.end()) {
      prediction.open.is_passed_by = !too_large_;
      prediction.open.why = too_large_ ? "its address depends on more registers than are followed"
                                       : "no warp that was followed comes to it";
    } else {
      prediction.least = CountsOf(found->second.least);
      prediction.most = CountsOf(found->second.most);
      AddOrigins(found->second.range, prediction.open);
    }
    return prediction;
  }

  void AddLoads(const std::vector<std::uint32_t>& loads, Open& open) const {
    for (const std::uint32_t load : loads) {
      open.ptx_lines.push_back(formulas_.function().instructions[load].line);
    }
  }

  void AddOrigins(const AccessRange& range, Open& open) const {
    std::set<std::uint32_t> parameters;
    std::set<std::uint32_t> lines(open.ptx_lines.begin(), open.ptx_lines.end());
    for (const Origin& origin : range.origins) {
      const bool is_data =
          origin.kind == Origin::Kind::kLoaded || origin.kind == Origin::Kind::kAtomic;
      if (is_data) {
        lines.insert(formulas_.function().instructions[origin.place].line);
        open.lanes_by_data = open.lanes_by_data || range.lanes_open > 0;
      }
      if (origin.kind != Origin::Kind::kParameter) continue;
      const bool is_pointer = std::ranges::find(pointers_, origin.place) != pointers_.end();
      if (!is_pointer) parameters.insert(NumberOf(origin.place));
    }
    open.parameters.assign(parameters.begin(), parameters.end());
    open.ptx_lines.assign(lines.begin(), lines.end());
  }

  std::uint32_t NumberOf(std::uint32_t offset) const {
    const auto& parameters = formulas_.function().parameters;
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
      if (offset >= parameters[i].offset && offset < parameters[i].offset + parameters[i].bytes)
        return i;
    }
    return static_cast<std::uint32_t>(parameters.size());
  }

  const cubin::Function& function_;
  const address::AccessFormulas& formulas_;
  std::set<std::uint32_t> instructions_;
  std::vector<std::uint32_t> pointers_;
  std::map<std::uint32_t, Sum> sums_;
  bool too_large_ = false;
  bool is_cut_ = false;  // there may be requests that were not come to
};

}  // namespace

FunctionPrediction PredictFunction(const cubin::Function& function,
                                   const address::AccessFormulas& formulas,
                                   const LaunchesOfKernel* known) {
  if (!formulas.why_not().empty()) {
    FunctionPrediction result;
    for (const cubin::GlobalAccess& access : function.accesses) {
      result.accesses[access.pc].open.why = formulas.why_not();
    }
    return result;
  }
  return FunctionPredictor(function, formulas).Run(known);
}

}  // namespace coalcheck::prediction
