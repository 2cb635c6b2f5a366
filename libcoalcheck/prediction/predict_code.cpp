// SPDX-License-Identifier: Apache-2.0
//
// Cubin by cubin: its kernels first, since functions get what the kernels that call them ask for.
#include "libcoalcheck/prediction/predict_code.h"

#include <algorithm>
#include <list>

#include "libcoalcheck/prediction/kernel_source.h"

namespace coalcheck::prediction {
namespace {

// Of such code nothing can be said but that it is there; libraries hold a great deal of it.
bool IsBare(const cubin::Function& function) {
  return function.ptx_text.empty() && !function.has_lines;
}

class CubinPredictor {
 public:
  CubinPredictor(const HeldCode& code, CubinId id, const cubin::Cubin& cubin,
                 const findings::SourceView& source)
      : code_(code), id_(id), cubin_(cubin), source_(source) {
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
      } else if (one.is_kernel) {
        PredictKernel(one, result, code.problems);
      }
    }
    for (const cubin::Function& one : cubin_.functions()) {
      if (one.is_kernel || one.accesses.empty() || IsBare(one)) continue;
      const address::AccessFormulas formulas(one, modules_);
      result.emplace(one.name, PredictFunction(one, formulas, Callers(formulas)));
    }
    return result;
  }

 private:
  void PredictKernel(const cubin::Function& kernel,
                     std::map<std::string, FunctionPrediction>& result,
                     std::vector<std::string>& problems) {
    // A kernel without accesses may call functions that have some.
    if (kernel.accesses.empty() && !calls_accesses_) return;
    const address::AccessFormulas formulas(kernel, modules_);
    std::vector<const KernelPrediction*> own;
    if (formulas.why_not().empty()) {
      const KernelSource said = SourceOf(kernel, formulas.function().parameters, source_, stamps_);
      problems.insert(problems.end(), said.problems.begin(), said.problems.end());
      const LaunchesToPredict known{code_.LaunchesOf(id_, kernel.name, said.launches),
                                    said.parameter_names};
      own.push_back(&kernels_.emplace_back(kernel, formulas, modules_, known));
      problems.insert(problems.end(), own.front()->problems().begin(),
                      own.front()->problems().end());
    }
    if (!kernel.accesses.empty()) {
      result.emplace(kernel.name, PredictFunction(kernel, formulas, own));
    }
  }

  // Kernels that hold an access of the function.
  std::vector<const KernelPrediction*> Callers(const address::AccessFormulas& formulas) const {
    std::vector<const KernelPrediction*> callers;
    if (!formulas.why_not().empty()) return callers;
    for (const KernelPrediction& kernel : kernels_) {
      const bool holds =
          std::ranges::any_of(formulas.function().instructions,
                              [&](const ptx::Instruction& one) { return kernel.Holds(one); });
      if (holds) callers.push_back(&kernel);
    }
    return callers;
  }

  const HeldCode& code_;
  CubinId id_;
  const cubin::Cubin& cubin_;
  const findings::SourceView& source_;
  const cubin::SourceStamps stamps_ = cubin::SourceStampsOf(cubin_.bytes());
  address::PtxModules modules_;
  bool calls_accesses_ = false;          // some function that is no kernel has accesses
  std::list<KernelPrediction> kernels_;  // those with PTX
};

}  // namespace

CodePrediction PredictCode(const HeldCode& code, const findings::SourceView& source) {
  CodePrediction prediction;
  for (const auto& [id, cubin] : code.cubins()) {
    prediction.cubins[id] = CubinPredictor(code, id, cubin, source).Run(prediction);
  }
  return prediction;
}

}  // namespace coalcheck::prediction
