// SPDX-License-Identifier: Apache-2.0
//
// Joins machine instructions with the PTX they were made of, launch by launch.
#include "libcoalcheck/findings/explaining/explanations.h"

#include <algorithm>

#include "libcoalcheck/address/pointer_parameters.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "libcoalcheck/findings/explaining/confirm.h"
#include "libcoalcheck/findings/explaining/evaluated_facts.h"
#include "libcoalcheck/ptx/inline_calls.h"

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaunchEvaluation;
using patterns::AddressFact;

constexpr std::uint64_t kMostStepsOfLaunch = 500'000;
// Of the steps that are left, so that one kernel does not take those of the others.
constexpr std::uint64_t kShareOfMoves = 2;
constexpr std::uint64_t kMostStepsOfRest = 250'000;
// Without arguments only the shape of a request can be told, which a few requests show.
constexpr std::uint64_t kMostStepsWithoutArguments = 50'000;
constexpr const char* kTooManyRegisters =
    "its addresses depend on more registers than the evaluator holds";

// What a launch gives its kernel; without the arguments where they were not recorded.
address::LaunchValues ValuesOf(const CountedLaunch& launch, bool has_arguments) {
  address::LaunchValues values{launch.grid, launch.block, {}};
  if (has_arguments) values.arguments = launch.arguments.bytes;
  if (has_arguments && !launch.known.empty()) values.known = launch.known;
  if (launch.arguments.shared_memory) {
    values.dynamic_shared_bytes = launch.arguments.shared_memory->count();
  }
  return values;
}

// Of a prediction, what is evaluated is the truth, but for what data decide.
void TakeEvaluated(const LaunchEvaluation& evaluation, Launches launches, CountsOfPtx& counted) {
  for (auto& [instruction, one] : counted) {
    const EvaluatedAccess* access = evaluation.Find(instruction);
    if (access == nullptr || access->IsOpen()) continue;
    address::Sums all;
    all.Add(access->sums, static_cast<double>(launches.count()));
    one.counts = address::CountsOf(all);
  }
}

// Whether what was evaluated agrees with the counts of each access, or data decide it. What it is
// made of must live on.
auto EnoughFor(const CountsOfPtx& counted, Launches launches, const CalledKernel& kernel) {
  return [&counted, launches, &kernel](const LaunchEvaluation& so_far) {
    const LaunchEvaluation evaluation = kernel.Own(so_far);
    return std::ranges::all_of(counted, [&](const auto& one) {
      const auto& [instruction, counts] = one;
      if (counts.counts.requests == Requests(0)) return true;
      const EvaluatedAccess* access = evaluation.Find(instruction);
      const Standing standing =
          Confirm(counts.counts, counts.width, launches, kernel.function(), evaluation, access)
              .standing;
      return standing == Standing::kDecidedByData ||
             (standing == Standing::kConfirmed && IsSure(*access));
    });
  };
}

// Instructions of the PTX, by what their counts say of their addresses.
struct Judged {
  std::set<std::uint32_t> confirmed;
  std::set<std::uint32_t> by_data;
};

// A prediction may lack numbers that decide an access; they count as data.
Judged JudgedOf(const std::map<std::uint32_t, Explanation>& explanations,
                const LaunchEvaluation& evaluation, bool is_predicted) {
  Judged judged;
  for (const auto& [instruction, one] : explanations) {
    const EvaluatedAccess* access = evaluation.Find(instruction);
    if (access == nullptr) continue;
    if (one.standing == Standing::kConfirmed) judged.confirmed.insert(instruction);
    const bool is_open = is_predicted && access->IsOpen();
    if (one.standing == Standing::kDecidedByData || is_open) judged.by_data.insert(instruction);
  }
  return judged;
}

}  // namespace

Explanations::Explanations(const cubin::Function& function, address::PtxModules& modules,
                           const FunctionAggregate& counted, StepsLeft& steps)
    : modules_(modules), formulas_(function, modules) {
  nothing_.why = formulas_.why_not();
  if (!nothing_.why.empty()) return;
  AddCounts(function, counted);
  nothing_.why = "no launch of its kernel was counted by itself";
  if (!counted.uncounted.empty() && function.is_kernel) {
    predictor_.emplace(address::PointerOffsets(formulas_.formulas()));
  }
  for (const CountedLaunch& launch : counted.counted) {
    ExplainLaunch(function, launch, steps);
    steps.to_evaluate -= std::min<std::uint64_t>(steps.to_evaluate, 1);
  }
  if (!launches_.empty()) nothing_.why = "no access in the PTX of its kernel belongs to it";
  const CalledKernel* kernel =
      predictor_ ? KernelOf(std::string(formulas_.function().name)) : nullptr;
  if (kernel != nullptr) {
    uncounted_ = predictor_->Predict(counted.uncounted, *kernel, steps.uncounted);
  }
}

void Explanations::AddTo(CountsOfPtx& counted, const cubin::GlobalAccess& access,
                         const RawCounts& counts) const {
  const std::uint32_t instruction = formulas_.InstructionAt(access.pc);
  if (instruction == ptx::kNone) return;
  PtxCounts& one = counted[instruction];
  one.counts += counts.Of(access.kind);
  one.width = access.width;
  one.kind = access.kind;
}

void Explanations::AddCounts(const cubin::Function& function, const FunctionAggregate& counted) {
  for (const auto& [pc, instruction] : counted.instructions) {
    const cubin::GlobalAccess* access = cubin::Cubin::FindAccess(function, pc);
    if (access == nullptr) continue;
    if (formulas_.InstructionAt(pc) == ptx::kNone) {
      has_strays_ = true;
      if (cubin::ReadSpecialAccess(access->ptx)) special_.insert(pc);
    }
    AddTo(counted_, *access, instruction.counts);
  }
}

const CalledKernel* Explanations::KernelOf(const std::string& name) {
  const auto [entry, is_new] = kernels_.try_emplace(name);
  if (!is_new) return entry->second.get();
  const bool is_own = name == formulas_.function().name;
  const ptx::Module* module = is_own ? &formulas_.module() : modules_.Of(name);
  const ptx::Module::Entry* kernel = module == nullptr ? nullptr : module->Find(name);
  if (kernel == nullptr) {
    nothing_.why = "the PTX of the kernel that calls it is not in the code";
    return nullptr;
  }
  entry->second = std::make_unique<CalledKernel>(
      ptx::WithCallsInlined(*module, is_own ? formulas_.function() : module->Read(*kernel),
                            [this](std::string_view called) { return modules_.Of(called); }),
      formulas_);
  return entry->second.get();
}

std::uint64_t Explanations::work() const {
  std::uint64_t work = formulas_.work();
  for (const auto& [name, kernel] : kernels_) {
    if (kernel == nullptr) continue;
    work += kernel->function().inlined_bytes / ptx::kBytesOfStep;
    work += ptx::kStepsOfInstruction *
            (kernel->function().instructions.size() + kernel->function().inlined_calls);
  }
  for (const Launch& launch : launches_) {
    const std::size_t accesses = launch.counts.size();
    if (accesses <= kMostPaired) work += accesses * accesses;
  }
  return work;
}

// Without a number of launches the access was evaluated alone, with all lanes.
Explanation Explanations::Judge(std::uint32_t instruction, const CalledKernel& kernel,
                                const CountsOfPtx& counted, const LaunchEvaluation& evaluation,
                                std::optional<Launches> launches) const {
  const EvaluatedAccess* access = evaluation.Find(instruction);
  const PtxCounts& counts = counted.at(instruction);
  const Verdict verdict = launches ? Confirm(counts.counts, counts.width, *launches,
                                             kernel.function(), evaluation, access)
                                   : ConfirmAlone(counts.counts, access);
  Explanation explanation;
  explanation.standing = verdict.standing;
  explanation.why = verdict.why;
  explanation.totals_held = verdict.totals_held;
  explanation.all_blocks = launches && evaluation.is_complete;
  if (access != nullptr && verdict.agrees) {
    FactsOfLaunch(formulas_, kernel.function(), counted, evaluation).AddTo(*access, explanation);
  }
  return explanation;
}

// What the evaluation of all accesses together did not come to: those alone depend on less.
void Explanations::JudgeRest(const CalledKernel& kernel, const CountsOfPtx& counted,
                             Launches launches, const address::LaunchValues& values,
                             StepsLeft& left, Launch& result) const {
  const auto rest = [&] {
    std::set<std::uint32_t> found;
    for (const auto& [instruction, one] : result.explanations) {
      const bool ran = counted.at(instruction).counts.requests > Requests(0);
      if (ran && one.standing == Standing::kNotEvaluated) found.insert(instruction);
    }
    return found;
  };
  const auto judge = [&](const std::set<std::uint32_t>& some, std::uint64_t steps, auto evaluate,
                         std::optional<Launches> of) {
    const LaunchEvaluation evaluation =
        (kernel.*evaluate)(some, values, {.steps = std::min(steps, left.ShareOfLaunch())});
    left.launches -= evaluation.steps;
    for (const std::uint32_t instruction : some) {
      Explanation explanation = Judge(instruction, kernel, counted, evaluation, of);
      // A part of the warps may differ from the rest.
      const bool is_said = explanation.standing == Standing::kConfirmed ||
                           explanation.standing == Standing::kDecidedByData ||
                           evaluation.is_complete;
      if (is_said) result.explanations[instruction] = std::move(explanation);
    }
  };
  judge(rest(), kMostStepsOfRest, &CalledKernel::EvaluateStraight, std::nullopt);
  const auto groups = kernel.ByBlock(rest());
  for (const std::set<std::uint32_t>& group : groups) {
    judge(group, kMostStepsOfRest / groups.size(), &CalledKernel::EvaluateOnly, launches);
  }
}

void Explanations::ExplainLaunch(const cubin::Function& function, const CountedLaunch& launch,
                                 StepsLeft& left) {
  // The launch's arguments are those of its kernel.
  const bool is_kernel = launch.kernel == formulas_.function().name;
  const CalledKernel* kernel = KernelOf(launch.kernel);
  if (kernel == nullptr) return;
  CountsOfPtx counted;
  for (const cubin::GlobalAccess& access : function.accesses) {
    const auto counts = launch.counts.find(access.pc);
    if (counts != launch.counts.end()) AddTo(counted, access, counts->second);
  }
  const bool has_arguments =
      launch.arguments.missing.empty() && launch.arguments.launches > Launches(0);
  const address::LaunchValues values = ValuesOf(launch, has_arguments);
  const address::Program* program = kernel->program();
  LaunchEvaluation whole;
  if (program != nullptr) {
    address::EvaluationLimits limits;
    limits.keeps_cut = true;
    limits.steps = std::min(has_arguments ? kMostStepsOfLaunch : kMostStepsWithoutArguments,
                            left.ShareOfLaunch());
    // What the GPU computes with fewer digits may agree by chance.
    if (has_arguments && !launch.IsPredicted() && !program->is_approximate()) {
      limits.is_enough = EnoughFor(counted, launch.launches, *kernel);
    }
    whole = address::Evaluate(*program, values, limits);
  }
  const LaunchEvaluation evaluation = kernel->Own(whole);
  left.launches -= whole.steps;
  if (launch.IsPredicted()) TakeEvaluated(evaluation, launch.launches, counted);
  Launch& result = launches_.emplace_back();
  result.block = launch.block;
  result.counts = launch.counts;
  result.is_predicted = launch.IsPredicted();
  // Of several launches, which differ, no value is the kernel's.
  values_.reset();
  if (launches_.size() == 1 && has_arguments && is_kernel) values_ = values;
  for (const auto& [instruction, one] : counted) {
    Explanation explanation = Judge(instruction, *kernel, counted, evaluation, launch.launches);
    if (program == nullptr) explanation.why = kTooManyRegisters;
    result.explanations.emplace(instruction, std::move(explanation));
  }
  if (has_arguments && !whole.is_complete) {
    JudgeRest(*kernel, counted, launch.launches, values, left, result);
  }
  if (is_kernel && has_arguments && predictor_) Learn(launch, counted, evaluation, result);
  if (!is_kernel || program == nullptr) return;
  const Judged judged = JudgedOf(result.explanations, evaluation, launch.IsPredicted());
  const std::map<std::uint32_t, std::uint32_t> lines = LinesOf(function);
  const CountedKernel counted_kernel{formulas_,
                                     *program,
                                     values,
                                     whole,
                                     counted,
                                     static_cast<double>(launch.launches.count()),
                                     judged.confirmed,
                                     judged.by_data,
                                     lines,
                                     has_strays_,
                                     launch.multiprocessors};
  Try(launch, counted_kernel, left.moves);
}

void Explanations::Learn(const CountedLaunch& launch, const CountsOfPtx& counted,
                         const LaunchEvaluation& evaluation, const Launch& judged) {
  std::set<std::uint32_t> confirmed;
  for (const auto& [instruction, one] : judged.explanations) {
    if (one.standing == Standing::kConfirmed) confirmed.insert(instruction);
  }
  recording::UncountedSet like{launch.grid, launch.block, launch.arguments};
  like.arguments.launches = launch.launches;
  predictor_->Learn(like, counted, confirmed, evaluation);
}

// By instruction of the PTX: instructions of one line and inline chain have one number.
std::map<std::uint32_t, std::uint32_t> Explanations::LinesOf(
    const cubin::Function& function) const {
  std::map<std::vector<std::pair<std::string_view, std::uint32_t>>, std::uint32_t> numbers;
  std::map<std::uint32_t, std::uint32_t> lines;
  for (const cubin::GlobalAccess& access : function.accesses) {
    std::vector<std::pair<std::string_view, std::uint32_t>> chain;
    for (const cubin::SourceFrame& frame : access.frames)
      chain.emplace_back(frame.file, frame.line);
    const auto number = static_cast<std::uint32_t>(numbers.size());
    const std::uint32_t line = numbers.try_emplace(std::move(chain), number).first->second;
    lines.try_emplace(formulas_.InstructionAt(access.pc), line);
  }
  return lines;
}

void Explanations::Try(const CountedLaunch& launch, const CountedKernel& kernel,
                       std::uint64_t& steps) {
  const bool wastes = std::ranges::any_of(
      kernel.counted, [](const auto& one) { return one.second.counts.Wasted() > Sectors(0); });
  if (tried_ && (tried_->moves.tried || !kernel.values.arguments || !wastes)) return;
  std::uint64_t of_kernel = steps / kShareOfMoves;
  const std::uint64_t before = of_kernel;
  TriedLaunch tried{launch.grid, launch.block, {}, {}};
  if (wastes) tried.moves = TryMovesOn(kernel, of_kernel);
  tried.fetched_again = FetchedAgainOn(kernel, of_kernel);
  steps -= before - of_kernel;
  if (!tried_ || tried.moves.tried) tried_ = std::move(tried);
}

bool Explanations::IsLike(const Launch& launch, PcOffset pc, const Variant* variant) {
  const auto counts = launch.counts.find(pc);
  return variant != nullptr && counts != launch.counts.end() &&
         AreAlike(counts->second.OfUnknownKind(), variant->counts.OfUnknownKind());
}

Explanations::Chosen Explanations::Evaluated(std::uint32_t instruction, PcOffset pc,
                                             const Variant* variant) const {
  Chosen chosen{nothing_, variant == nullptr};
  int best = -1;
  for (const Launch& launch : launches_) {
    const auto found = launch.explanations.find(instruction);
    if (found == launch.explanations.end()) continue;
    const bool is_block = variant != nullptr && variant->block == launch.block;
    // What was predicted of several launches has sums of its own.
    const bool is_alike = (is_block && launch.is_predicted) || IsLike(launch, pc, variant);
    const int fits = (is_alike ? 2 : 0) + (is_block ? 1 : 0);
    if (fits > best) {
      chosen = {found->second, is_alike || variant == nullptr};
      best = fits;
    } else if (fits == best && is_alike) {
      const auto& shapes = found->second.fact.shapes;
      auto& all = chosen.explanation.fact.shapes;
      all.insert(all.end(), shapes.begin(), shapes.end());
    }
  }
  return chosen;
}

Explanation Explanations::At(PcOffset pc, const Variant* variant) const {
  const std::uint32_t instruction = formulas_.InstructionAt(pc);
  auto [explanation, is_alike] = Evaluated(instruction, pc, variant);
  if (special_.contains(pc)) explanation.why = cubin::kSpecialAccess;
  const std::optional<recording::Dim3> block = variant ? variant->block : std::nullopt;
  if (!is_alike && explanation.fact.step_of_run && formulas_.Of(instruction) != nullptr) {
    // Another launch, in which lanes may lie otherwise.
    explanation.fact = FactOfFormula(formulas_, instruction, block, counted_);
  }
  const bool is_open = explanation.standing == Standing::kNotEvaluated &&
                       explanation.fact.form == AddressFact::Form::kNotKnown &&
                       explanation.fact.shapes.empty();
  const address::Formula* formula = is_open ? formulas_.Of(instruction) : nullptr;
  if (formula == nullptr) return explanation;
  explanation.fact = FactOfFormula(formulas_, instruction, block, counted_);
  for (const std::uint32_t load : formulas_.LoadsIn(*formula)) {
    explanation.data_lines.push_back(formulas_.function().instructions[load].line);
  }
  const auto counted = counted_.find(instruction);
  const bool ran = counted != counted_.end() && counted->second.counts.requests > Requests(0);
  if (ran && !explanation.data_lines.empty()) {
    explanation.standing = Standing::kDecidedByData;
    explanation.why.clear();
  }
  return explanation;
}

}  // namespace coalcheck::findings
