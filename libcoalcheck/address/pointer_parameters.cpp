// SPDX-License-Identifier: Apache-2.0
//
// Looks at types, and follows what an address is a plain sum of.
#include "libcoalcheck/address/pointer_parameters.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/address/parameter_types.h"
#include "libcoalcheck/base/demangle.h"

namespace coalcheck::address {
namespace {

constexpr int kDeepestSearch = 8;
constexpr std::uint32_t kPointerBytes = 8;

class PointerSearch {
 public:
  PointerSearch(const FunctionFormulas& formulas, std::vector<std::string> types)
      : formulas_(formulas), types_(std::move(types)) {}

  // Takes parameters whose type is a pointer's: functions that are called begin at them, too.
  void LookAtTypes() {
    for (std::uint32_t i = 0; i < types_.size(); ++i) {
      if (types_[i].ends_with('*')) Take(i, 0);
    }
  }

  // Takes the parameter that an address begins at. Of a sum of two, one is a number, and only their
  // types could say which.
  void Look(const Formula& formula, int depth) {
    if (depth > kDeepestSearch) return;
    const FormulaAtoms& atoms = formulas_.atoms();
    std::vector<const FormulaAtom*> parameters;
    for (const auto& [monomial, coefficient] : formula.terms()) {
      if (monomial.degree() != 1 || coefficient != 1) continue;
      const FormulaAtom& atom = atoms[monomial.atom(0)];
      if (atom.kind == FormulaKind::kParameter) parameters.push_back(&atom);
      if (atom.kind == FormulaKind::kLoaded || !seen_.insert(monomial.atom(0)).second) continue;
      for (const Formula& argument : atom.arguments) Look(argument, depth + 1);
    }
    if (parameters.size() == 1) Take(parameters[0]->a, parameters[0]->b);
  }

  std::vector<std::uint32_t> offsets() const { return {offsets_.begin(), offsets_.end()}; }

 private:
  void Take(std::uint32_t number, std::uint32_t byte) {
    const auto& parameters = formulas_.function().parameters;
    if (number >= parameters.size()) return;
    const bool is_number = number < types_.size() && parameters[number].bytes == kPointerBytes &&
                           types_[number].find('*') == std::string::npos &&
                           types_[number].find("long") != std::string::npos;
    if (!is_number) offsets_.insert(parameters[number].offset + byte);
  }

  const FunctionFormulas& formulas_;
  std::vector<std::string> types_;
  std::set<AtomId> seen_;
  std::set<std::uint32_t> offsets_;
};

}  // namespace

std::vector<std::uint32_t> PointerOffsets(const FunctionFormulas& formulas) {
  const ptx::Function& function = formulas.function();
  std::vector<std::string> types;
  if (function.is_kernel) types = ParameterTypes(Demangle(function.name));
  PointerSearch search(formulas, std::move(types));
  search.LookAtTypes();
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (const Formula* formula = formulas.Of(i)) search.Look(*formula, 0);
  }
  return search.offsets();
}

}  // namespace coalcheck::address
