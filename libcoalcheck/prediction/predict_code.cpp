// SPDX-License-Identifier: Apache-2.0
//
// Cubin by cubin: its kernels first, since functions get what the kernels that call them ask for.
#include "libcoalcheck/prediction/predict_code.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <utility>

#include "libcoalcheck/prediction/kernel_source.h"

namespace coalcheck::prediction {
namespace {

// Code without lines and without PTX: nothing is said of it but its number of accesses. Libraries
// hold a great deal of it.
bool IsBare(const cubin::Function& function) {
  return function.ptx_text.empty() && !function.has_lines;
}

// What may be spent on all files together, in steps of warps, so that no input takes for ever; what
// is beyond is unknown. It grows with the number of kernels, up to 32 of them. To read the code,
// and to write what was found, takes up to seven eighths of it. Kernels whose launches are known
// may take more, as they are run at length.
struct Effort {
  explicit Effort(const HeldCode& code) {
    std::uint64_t kernels = 0;
    std::uint64_t bytes = 0;  // of PTX
    for (const auto& [id, cubin] : code.cubins()) {
      const char* counted = nullptr;
      for (const cubin::Function& one : cubin.functions()) {
        if (one.is_kernel && !IsBare(one)) ++kernels;
        if (one.ptx_text.data() == counted) continue;
        counted = one.ptx_text.data();
        bytes += one.ptx_text.size();
      }
    }
    const std::uint64_t many = std::min<std::uint64_t>(kernels, 32);
    of_examples += 6'000'000 * many;
    of_launches += 6'000'000 * many;
    of_long_examples += 3'000'000 * many;
    Spend(std::min(of_examples / 8 * 7, 4 * bytes), of_examples);
    Spend(std::min(of_launches / 8 * 7, 6 * bytes), of_launches);
  }

  std::uint64_t of_examples = 25'000'000;
  std::uint64_t of_launches = 100'000'000;
  std::uint64_t of_long_examples = 12'000'000;  // among those of examples
  std::uint64_t of_long_launches = 60'000'000;  // among those of launches

  bool is_spent() const { return of_examples == 0 || of_launches == 0; }
  static void Spend(std::uint64_t steps, std::uint64_t& left) { left -= std::min(steps, left); }
};

// The cost of a function's formulas, in steps of a warp, as measured.
std::uint64_t CostOf(const cubin::Function& function) {
  constexpr std::uint64_t kSteps = 500;
  return kSteps + function.name.size() + 10 * function.accesses.size();
}

// Of one function: what is spent on it is known when it is predicted.
constexpr std::size_t kMostAccesses = 40'000;

class CubinPredictor {
 public:
  CubinPredictor(const HeldCode& code, CubinId id, const cubin::Cubin& cubin,
                 const findings::SourceView& source, Effort& effort)
      : code_(code), id_(id), cubin_(cubin), source_(source), effort_(effort) {
    modules_.Turn(&cubin);
    for (const cubin::Function& one : cubin.functions()) {
      calls_accesses_ = calls_accesses_ || (!one.is_kernel && !one.accesses.empty());
    }
  }

  std::map<std::string, FunctionPrediction> Run(CodePrediction& code) && {
    std::map<std::string, FunctionPrediction> result;
    for (const cubin::Function& one : cubin_.functions()) {
      if (IsBare(one)) {
        code.accesses_without_ptx += one.accesses.size();
      } else if (one.is_kernel && !IsBeyond(one, code)) {
        PredictKernel(one, result, code);
      }
    }
    for (const KernelPrediction& kernel : kernels_) {
      for (const char* access : kernel.held()) holders_[access].push_back(&kernel);
    }
    for (const cubin::Function& one : cubin_.functions()) {
      if (one.is_kernel || one.accesses.empty() || IsBare(one)) continue;
      if (!IsBeyond(one, code)) result.emplace(one.name, PredictCalled(one));
    }
    return result;
  }

 private:
  // Whether nothing is left to be spent on the function; else its own part of it is.
  bool IsBeyond(const cubin::Function& function, CodePrediction& code) {
    if (!effort_.is_spent() && function.accesses.size() <= kMostAccesses) {
      Effort::Spend(CostOf(function), effort_.of_examples);
      return false;
    }
    code.accesses_beyond += function.accesses.size();
    if (!function.accesses.empty()) ++code.functions_beyond;
    return true;
  }

  void PredictKernel(const cubin::Function& kernel,
                     std::map<std::string, FunctionPrediction>& result, CodePrediction& code) {
    // A kernel without accesses may call functions that have some.
    if (kernel.accesses.empty() && !calls_accesses_) return;
    const address::AccessFormulas formulas(kernel, modules_);
    std::vector<const KernelPrediction*> own;
    if (formulas.why_not().empty()) {
      Effort::Spend(2 * formulas.formulas().work(), effort_.of_examples);
      const KernelSource said = SourceOf(kernel, formulas.function().parameters, source_, stamps_);
      for (const std::string& problem : said.problems) code.AddProblem(problem);
      const LaunchesToPredict known{code_.LaunchesOf(id_, kernel.name, said.launches),
                                    said.parameter_names, &effort_.of_long_examples,
                                    &effort_.of_long_launches};
      own.push_back(&kernels_.emplace_back(kernel, formulas, modules_, known));
      Effort::Spend(own.front()->steps(),
                    known.launches == nullptr ? effort_.of_examples : effort_.of_launches);
      for (const std::string& problem : own.front()->problems()) code.AddProblem(problem);
    }
    if (!kernel.accesses.empty()) {
      FunctionPrediction& its =
          result.emplace(kernel.name, PredictFunction(kernel, formulas, own)).first->second;
      if (!own.empty()) AddInnerFunctions(kernel, formulas, own, its);
    }
  }

  // Functions that the assembler put into the kernel's own code: no symbol of theirs is in the
  // cubin, but their accesses name the lines of their PTX.
  void AddInnerFunctions(const cubin::Function& kernel, const address::AccessFormulas& formulas,
                         const std::vector<const KernelPrediction*>& own,
                         FunctionPrediction& result) {
    // Each takes so long beside its bytes and its formulas, in steps.
    constexpr std::uint64_t kSteps = 1000;
    std::map<const ptx::Module::Entry*, cubin::Function> inner;
    for (const cubin::GlobalAccess& access : kernel.accesses) {
      if (formulas.InstructionAt(access.pc) != ptx::kNone) continue;
      const ptx::Module::Entry* entry = formulas.module().At(access.ptx_line);
      if (entry == nullptr || entry->name == formulas.function().name) continue;
      inner[entry].accesses.push_back(access);
    }
    for (auto& [entry, function] : inner) {
      if (effort_.is_spent()) return;
      Effort::Spend(kSteps + 2 * (entry->end - entry->begin), effort_.of_examples);
      function.name = entry->name;
      function.ptx_text = kernel.ptx_text;
      const address::AccessFormulas its(function, modules_);
      Effort::Spend(2 * its.work(), effort_.of_examples);
      for (auto& [pc, access] : PredictFunction(function, its, own).accesses) {
        result.accesses[pc] = std::move(access);
      }
    }
  }

  // A function that kernels call.
  FunctionPrediction PredictCalled(const cubin::Function& function) {
    const address::AccessFormulas formulas(function, modules_);
    return PredictFunction(function, formulas, Callers(formulas));
  }

  // Kernels that hold an access of the function, by name.
  std::vector<const KernelPrediction*> Callers(const address::AccessFormulas& formulas) {
    std::set<const KernelPrediction*> holders;
    if (!formulas.why_not().empty()) return {};
    for (const ptx::Instruction& one : formulas.function().instructions) {
      const auto found = holders_.find(one.text.data());
      if (found != holders_.end()) holders.insert(found->second.begin(), found->second.end());
    }
    Effort::Spend(holders.size(), effort_.of_examples);
    std::vector<const KernelPrediction*> callers(holders.begin(), holders.end());
    std::ranges::sort(callers, {}, &KernelPrediction::kernel);
    return callers;
  }

  const HeldCode& code_;
  CubinId id_;
  const cubin::Cubin& cubin_;
  const findings::SourceView& source_;
  Effort& effort_;
  const cubin::SourceStamps stamps_ = cubin::SourceStampsOf(cubin_.bytes());
  address::PtxModules modules_;
  bool calls_accesses_ = false;          // some function that is no kernel has accesses
  std::list<KernelPrediction> kernels_;  // those with PTX
  // Kernels by the accesses that they hold.
  absl::flat_hash_map<const char*, std::vector<const KernelPrediction*>> holders_;
};

}  // namespace

void CodePrediction::AddProblem(const std::string& problem) {
  // A template's instances have one comment.
  if (std::ranges::find(problems, problem) != problems.end()) return;
  if (problems.size() < kMostProblems) {
    problems.push_back(problem);
  } else {
    ++problems_beyond;
  }
}

CodePrediction PredictCode(const HeldCode& code, const findings::SourceView& source) {
  CodePrediction prediction;
  Effort effort(code);
  for (const auto& [id, cubin] : code.cubins()) {
    prediction.cubins[id] = CubinPredictor(code, id, cubin, source, effort).Run(prediction);
  }
  return prediction;
}

}  // namespace coalcheck::prediction
