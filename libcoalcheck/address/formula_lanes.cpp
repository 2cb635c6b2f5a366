// SPDX-License-Identifier: Apache-2.0
//
// One pass over the atoms, each behind those that it is made of; further ones until values that
// loops carry say nothing new.
#include "libcoalcheck/address/formula_lanes.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

using Kind = LanePart::Kind;

constexpr std::uint64_t kWarp = 32;
constexpr std::size_t kMostLoads = 8;

LanePart Same() { return {Kind::kNone, Formula(0), {}}; }

bool Varies(const LanePart& part) { return part.kind != Kind::kNone; }

// Differs by what either does, in a way that is no step.
void Join(LanePart& part, const LanePart& other) {
  part.kind = std::max(part.kind, other.kind);
  for (const std::uint32_t load : other.loads) {
    const bool is_new = std::ranges::find(part.loads, load) == part.loads.end();
    if (is_new && part.loads.size() < kMostLoads) part.loads.push_back(load);
  }
  std::ranges::sort(part.loads);
}

}  // namespace

std::optional<std::int64_t> LanePart::StepInBytes() const {
  const auto bytes = step ? step->constant() : std::nullopt;
  return bytes ? std::optional(static_cast<std::int64_t>(*bytes)) : std::nullopt;
}

FormulaLanes::FormulaLanes(const FunctionFormulas& formulas)
    : formulas_(formulas), atoms_(formulas.atoms()), parts_(atoms_.size(), Same()) {
  for (const ptx::Symbol& symbol : formulas.function().symbols) {
    has_stack_ = has_stack_ || symbol.space == ptx::Space::kLocal;
  }
  constexpr int kMostPasses = 8;
  for (int pass = 0; pass <= kMostPasses; ++pass) {
    bool changed = false;
    work_ += atoms_.size() + atoms_.terms();
    for (AtomId id = 0; id < atoms_.size(); ++id) {
      LanePart part = OfAtom(id);
      if (pass == kMostPasses && part != parts_[id]) part = {Kind::kNotKnown, std::nullopt, {}};
      changed = changed || part != parts_[id];
      parts_[id] = std::move(part);
    }
    if (!changed) break;
  }
  FindLoops();
}

LanePart FormulaLanes::Of(std::uint32_t instruction) const {
  const Formula* address = formulas_.Of(instruction);
  if (address == nullptr) return {Kind::kNotKnown, std::nullopt, {}};
  LanePart part = OfFormula(*address);
  AddLeftLoops(*address, formulas_.flow().BlockOf(instruction), part);
  return part;
}

LanePart FormulaLanes::OfFormula(const Formula& formula) const {
  LanePart sum = Same();
  for (const Formula::Term& term : formula.terms()) {
    const LanePart part = OfTerm(term);
    if (!Varies(part)) continue;
    Join(sum, part);
    if (sum.step && part.step) {
      sum.step->Add(*part.step);
    } else {
      sum.step.reset();
    }
  }
  return sum;
}

// Linear in one factor that differs, by a step that all others make.
LanePart FormulaLanes::OfTerm(const Formula::Term& term) const {
  LanePart result = Same();
  Formula others(term.second);
  int varying = 0;
  for (std::size_t i = 0; i < term.first.degree(); ++i) {
    const LanePart& part = parts_[term.first.atom(i)];
    if (Varies(part)) {
      ++varying;
      Join(result, part);
      result.step = part.step;
    } else if (const auto product = Formula::Product(others, Formula::Of(term.first.atom(i)))) {
      others = *product;
    }
  }
  if (varying == 0) return Same();
  if (varying > 1 || !result.step) {
    result.step.reset();
    if (!others.constant()) result.kind = std::max(result.kind, Kind::kOfRun);
    return result;
  }
  result.step = Formula::Product(*result.step, others);
  if (!others.constant()) result.kind = std::max(result.kind, Kind::kOfRun);
  return result;
}

LanePart FormulaLanes::OfAtom(AtomId id) {
  const FormulaAtom& atom = atoms_[id];
  switch (atom.kind) {
    case FormulaKind::kSpecial:
      return OfSpecial(atom);
    case FormulaKind::kLoaded:
      return OfLoad(atom);
    case FormulaKind::kExchanged:
      return OfExchange(atom);
    case FormulaKind::kLoopValue:
    case FormulaKind::kLoopSum:
      return OfLoopValue(id);
    case FormulaKind::kSelect:
    case FormulaKind::kMerge:
      return OfChoice(atom);
    case FormulaKind::kQuotient:
    case FormulaKind::kRemainder:
      return OfQuotient(atom);
    case FormulaKind::kLongSum: {
      LanePart sum = OfFormula(atom.arguments[0]);
      const LanePart other = OfFormula(atom.arguments[1]);
      Join(sum, other);
      if (sum.step && other.step) sum.step->Add(*other.step);
      if (!other.step) sum.step.reset();
      return sum;
    }
    case FormulaKind::kAllRounds:
      return OfExits(atom.a);
    case FormulaKind::kParameter:  // who calls a function may pass each lane another value
      if (formulas_.function().is_kernel) return Same();
      return {Kind::kNotKnown, std::nullopt, {}};
    case FormulaKind::kReturned:
    case FormulaKind::kUnknown:
      return {Kind::kNotKnown, std::nullopt, {}};
    default:
      return OfArguments(atom);
  }
}

// Something that is no sum of its arguments.
LanePart FormulaLanes::OfArguments(const FormulaAtom& atom) const {
  LanePart result = Same();
  bool has_run = false;
  for (const Formula& argument : atom.arguments) {
    const LanePart part = OfFormula(argument);
    Join(result, part);
    has_run = has_run || (!Varies(part) && !argument.constant());
  }
  if (!Varies(result)) return Same();
  result.step.reset();
  if (has_run) result.kind = std::max(result.kind, Kind::kOfRun);
  return result;
}

LanePart FormulaLanes::OfSpecial(const FormulaAtom& atom) const {
  switch (static_cast<ptx::Special>(atom.a)) {
    case ptx::Special::kTidX:
    case ptx::Special::kLaneid:
      return {Kind::kConstants, Formula(1), {}};
    case ptx::Special::kTidY:
    case ptx::Special::kTidZ:
      return {Kind::kConstants, Formula(0), {}};
    case ptx::Special::kLanemaskEq:
    case ptx::Special::kLanemaskLe:
    case ptx::Special::kLanemaskLt:
    case ptx::Special::kLanemaskGe:
    case ptx::Special::kLanemaskGt:
      return {Kind::kConstants, std::nullopt, {}};
    default:
      return Same();
  }
}

// The same where the address is, unless each lane has a memory of its own.
LanePart FormulaLanes::OfLoad(const FormulaAtom& atom) const {
  const ptx::Opcode& code = formulas_.function().instructions[atom.a].code;
  const bool may_be_private =
      code.space == ptx::Space::kLocal ||
      (code.op == ptx::Op::kLd && code.space == ptx::Space::kGeneric && has_stack_);
  LanePart address = Same();
  for (const Formula& argument : atom.arguments) Join(address, OfFormula(argument));
  if (may_be_private) return {Kind::kNotKnown, std::nullopt, {atom.a}};
  if (code.op == ptx::Op::kLd && !Varies(address)) return Same();
  if (address.kind == Kind::kNotKnown) return {Kind::kNotKnown, std::nullopt, {atom.a}};
  return {Kind::kLoaded, std::nullopt, {atom.a}};
}

bool FormulaLanes::AllLanesTakePart(std::uint32_t instruction) const {
  const ptx::Function& function = formulas_.function();
  const ptx::Instruction& one = function.instructions[instruction];
  const auto operands = function.OperandsOf(one);
  if (one.text.find(".sync") == std::string_view::npos || operands.empty()) return false;
  const ptx::Operand& mask = operands.back();
  constexpr std::uint64_t kAll = 0xffffffff;
  return mask.kind == ptx::Operand::Kind::kImmediate &&
         (static_cast<std::uint64_t>(mask.value) & kAll) == kAll;
}

// All lanes have what they agree on, if all take part; else each group has its own.
LanePart FormulaLanes::OfExchange(const FormulaAtom& atom) const {
  const ptx::Opcode& code = formulas_.function().instructions[atom.a].code;
  LanePart result = Same();
  for (const Formula& argument : atom.arguments) Join(result, OfFormula(argument));
  if (code.op == ptx::Op::kShfl) {
    if (!Varies(result)) return Same();
    const auto operands =
        formulas_.function().OperandsOf(formulas_.function().instructions[atom.a]);
    const bool is_from_one = code.mode == ptx::Mode::kIdx && operands.size() >= 3 &&
                             operands[2].kind == ptx::Operand::Kind::kImmediate && atom.b == 0;
    if (is_from_one && AllLanesTakePart(atom.a)) return Same();
    result.kind = std::max(result.kind, Kind::kConstants);
    result.step.reset();
    return result;
  }
  const bool is_agreed = code.op == ptx::Op::kVote || code.op == ptx::Op::kRedux;
  if (is_agreed && AllLanesTakePart(atom.a)) return Same();
  return {Kind::kNotKnown, std::nullopt, std::move(result.loads)};
}

LanePart FormulaLanes::OfChoice(const FormulaAtom& atom) const {
  const bool is_merge = atom.kind == FormulaKind::kMerge;
  const std::size_t first = is_merge ? 0 : 1;
  const std::size_t last = is_merge ? atom.b : 3;
  LanePart conditions = Same();
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    if (i < first || i >= last) Join(conditions, OfFormula(atom.arguments[i]));
  }
  LanePart result = OfFormula(atom.arguments[first]);
  for (std::size_t i = first + 1; i < last; ++i) {
    const LanePart part = OfFormula(atom.arguments[i]);
    const bool is_same_step = result.step && part.step && *result.step == *part.step;
    Join(result, part);
    if (!is_same_step) result.step.reset();
  }
  if (!Varies(conditions)) {
    if (!Varies(result)) return Same();
    if (!result.step) result.kind = std::max(result.kind, Kind::kOfRun);
    return result;
  }
  Join(result, conditions);
  result.step.reset();
  return result;
}

LanePart FormulaLanes::OfLoopValue(AtomId id) const {
  const LoopPhi* value = formulas_.LoopValue(id);
  if (value == nullptr) return {Kind::kNotKnown, std::nullopt, {}};
  LanePart result = OfFormula(value->next);
  // A sum's start stands beside it.
  if (atoms_[id].kind == FormulaKind::kLoopValue) Join(result, OfFormula(value->start));
  if (!Varies(result)) return Same();
  return {result.kind, std::nullopt, std::move(result.loads)};
}

// Whether a warp's lanes have consecutive numbers in it, beginning at a multiple of 32.
bool FormulaLanes::IsAlongWarps(const Formula& formula, std::uint64_t divisor) const {
  if (divisor == 0 || divisor % kWarp != 0) return false;
  bool has_thread = false;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    bool is_whole = coefficient % kWarp == 0;
    bool is_thread = false;
    bool is_same = true;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const FormulaAtom& atom = atoms_[monomial.atom(i)];
      const bool is_special = atom.kind == FormulaKind::kSpecial;
      const auto special = static_cast<ptx::Special>(atom.a);
      is_whole = is_whole || (is_special && special == ptx::Special::kNtidX);
      is_thread =
          is_special && (special == ptx::Special::kTidX || special == ptx::Special::kLaneid);
      is_same = is_same &&
                (!Varies(parts_[monomial.atom(i)]) || parts_[monomial.atom(i)].step == Formula(0));
    }
    if (is_thread && monomial.degree() == 1 && coefficient == 1 && !has_thread) {
      has_thread = true;
    } else if (!is_whole || !is_same) {
      return false;
    }
  }
  return has_thread;
}

LanePart FormulaLanes::OfQuotient(const FormulaAtom& atom) const {
  const auto divisor = atom.arguments[1].constant();
  if (divisor && IsAlongWarps(atom.arguments[0], *divisor)) {
    if (atom.kind == FormulaKind::kQuotient) return Same();
    return {Kind::kConstants, Formula(1), {}};
  }
  return OfArguments(atom);
}

// Whether a factor is as large as a warp is wide: what is added or divided by it parts lanes at the
// ends of rows and grids only.
bool FormulaLanes::IsWide(const Formula& factor, const Formula& step) const {
  const std::uint64_t lanes = kWarp * Magnitude(step.constant().value_or(kWarp));
  for (const auto& [monomial, coefficient] : factor.terms()) {
    if (monomial.degree() == 0 && Magnitude(coefficient) >= lanes) return true;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const FormulaAtom& atom = atoms_[monomial.atom(i)];
      const auto special = static_cast<ptx::Special>(atom.a);
      if (atom.kind == FormulaKind::kSpecial && special == ptx::Special::kNtidX) return true;
    }
  }
  return false;
}

// Whether a condition of leaving a loop is the same for all lanes of a warp but for those at an
// edge: each round takes an index on by more than a warp is wide.
bool FormulaLanes::IsEven(const Formula& formula, std::uint32_t loop, int depth) {
  constexpr int kMostDepth = 16;
  if (depth > kMostDepth || even_left_ == 0) return false;
  --even_left_;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const AtomId id = monomial.atom(i);
      if (Varies(parts_[id]) && !IsEven(atoms_[id], loop, depth + 1)) return false;
    }
  }
  return true;
}

bool FormulaLanes::IsEven(const FormulaAtom& atom, std::uint32_t loop, int depth) {
  if (atom.kind == FormulaKind::kCompare) {
    Formula difference = atom.arguments[0];
    difference.Add(atom.arguments[1], ~std::uint64_t{0});
    const LanePart part = OfFormula(difference);
    const std::optional<Formula> round = StepOfLoop(formulas_, difference, loop);
    if (part.step && part.step->constant() && round && IsWide(*round, *part.step)) return true;
  }
  if (atom.kind == FormulaKind::kQuotient) {
    const LanePart part = OfFormula(atom.arguments[0]);
    if (part.step && part.step->constant() && !Varies(OfFormula(atom.arguments[1])) &&
        IsWide(atom.arguments[1], *part.step)) {
      return true;
    }
  }
  const bool is_leaf = atom.arguments.empty() || atom.kind == FormulaKind::kLoaded ||
                       atom.kind == FormulaKind::kExchanged || atom.kind == FormulaKind::kLoopValue;
  return !is_leaf && std::ranges::all_of(atom.arguments, [&](const Formula& argument) {
    return IsEven(argument, loop, depth);
  });
}

// Lanes that leave a loop in different rounds have different values behind it.
LanePart FormulaLanes::OfExits(std::uint32_t loop) {
  LanePart result = Same();
  for (const Formula& exit : formulas_.ExitsOf(loop)) {
    if (!IsEven(exit, loop, 0)) Join(result, OfFormula(exit));
  }
  if (Varies(result)) result.step.reset();
  return result;
}

// Each atom's from those of its arguments, which stand before it. What is loaded is another value.
void FormulaLanes::FindLoops() {
  for (std::uint32_t i = 0; i < formulas_.flow().loops().size(); ++i) exits_.push_back(OfExits(i));
  loops_.resize(atoms_.size());
  for (AtomId id = 0; id < atoms_.size() && !exits_.empty(); ++id) {
    const FormulaAtom& atom = atoms_[id];
    for (const Formula& argument : atom.arguments) {
      if (atom.kind != FormulaKind::kLoaded) loops_[id].Add(UnionOver(argument, loops_));
    }
    const bool is_carried =
        atom.kind == FormulaKind::kLoopValue || atom.kind == FormulaKind::kLoopSum;
    std::uint32_t loop = is_carried ? formulas_.flow().blocks()[atom.b].loop : ptx::kNone;
    if (atom.kind == FormulaKind::kRound) loop = atom.a;
    if (loop != ptx::kNone && Varies(exits_[loop])) loops_[id].Add(loop);
  }
}

void FormulaLanes::AddLeftLoops(const Formula& formula, std::uint32_t block, LanePart& part) const {
  const FewNumbers loops = UnionOver(formula, loops_);
  if (loops.are_too_many()) part = {Kind::kNotKnown, std::nullopt, {}};
  for (const std::uint32_t loop : loops.numbers()) {
    if (formulas_.flow().IsIn(block, loop)) continue;
    Join(part, exits_[loop]);
    part.step.reset();
  }
}

}  // namespace coalcheck::address
