// SPDX-License-Identifier: Apache-2.0
//
// Pointers first, then what is added to them with the element size in front.
#include "libcoalcheck/address/formula_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "libcoalcheck/ptx/special.h"

namespace coalcheck::address {
namespace {

constexpr std::string_view kTimes = "\u00b7";
constexpr std::string_view kMore = "\u2026";
constexpr std::size_t kMostTerms = 12;        // of a sum
constexpr std::size_t kMostCharacters = 400;  // longer formulas help nobody
constexpr int kMostNested = 5;

std::uint64_t Size(std::uint64_t coefficient) {
  return static_cast<std::int64_t>(coefficient) < 0 ? 0 - coefficient : coefficient;
}

std::string_view Symbol(ptx::Compare compare) {
  switch (compare) {
    case ptx::Compare::kEq:
      return "==";
    case ptx::Compare::kNe:
      return "!=";
    case ptx::Compare::kLt:
      return "<";
    case ptx::Compare::kLe:
      return "<=";
    case ptx::Compare::kGt:
      return ">";
    case ptx::Compare::kGe:
      return ">=";
    default:
      return "?";
  }
}

// What stands between two operands; empty where that is not how it is written.
std::string_view SignOf(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kQuotient:
      return "/";
    case FormulaKind::kRemainder:
      return "%";
    case FormulaKind::kAnd:
      return "&";
    case FormulaKind::kOr:
      return "|";
    case FormulaKind::kXor:
      return "^";
    default:
      return {};
  }
}

class Writer {
 public:
  Writer(const FunctionFormulas& formulas, const FormulaNames& names)
      : formulas_(formulas), atoms_(formulas.atoms()), names_(names) {}

  std::string Write(const Formula& formula, int depth) {
    if (depth > kMostNested || written_ > kMostCharacters) return std::string(kMore);
    std::vector<Formula::Term> pointers;
    std::vector<Formula::Term> rest;
    std::uint64_t constant = 0;
    for (const Formula::Term& term : formula.terms()) {
      if (term.first.degree() == 0) {
        constant = term.second;
      } else {
        (IsPointer(term, depth) ? pointers : rest).push_back(term);
      }
    }
    std::string text;
    for (const Formula::Term& term : pointers) Append(text, term, depth);
    Order(rest);
    AppendFactored(text, std::move(rest), depth);
    if (constant != 0 || text.empty()) {
      text += Sign(text, static_cast<std::int64_t>(constant) < 0);
      text += fmt::format("{}", Size(constant));
    }
    return text;
  }

 private:
  // A base address stands alone.
  bool IsPointer(const Formula::Term& term, int depth) const {
    return depth == 0 && term.second == 1 && term.first.degree() == 1;
  }

  // Blocks before threads, and what is loaded behind them.
  std::uint32_t Rank(AtomId id) const {
    const FormulaAtom& atom = atoms_[id];
    if (atom.kind != FormulaKind::kSpecial) return 1000 + static_cast<std::uint32_t>(atom.kind);
    const auto special = static_cast<ptx::Special>(atom.a);
    const bool is_block = special >= ptx::Special::kCtaidX && special <= ptx::Special::kNctaidZ;
    const bool is_size = special >= ptx::Special::kNtidX && special <= ptx::Special::kNtidZ;
    return atom.a + (is_block ? 0 : is_size ? 100 : 200);
  }

  std::vector<AtomId> Factors(const Monomial& monomial) const {
    std::vector<AtomId> factors;
    for (std::size_t i = 0; i < monomial.degree(); ++i) factors.push_back(monomial.atom(i));
    std::ranges::stable_sort(factors, {}, [&](AtomId id) { return Rank(id); });
    return factors;
  }

  void Order(std::vector<Formula::Term>& terms) const {
    std::ranges::stable_sort(terms, {}, [&](const Formula::Term& term) {
      std::vector<std::uint32_t> ranks;
      for (const AtomId id : Factors(term.first)) ranks.push_back(Rank(id));
      return ranks;
    });
  }

  static std::string_view Sign(const std::string& text, bool minus) {
    if (text.empty()) return minus ? "-" : "";
    return minus ? " - " : " + ";
  }

  void Append(std::string& text, const Formula::Term& term, int depth) {
    text += Sign(text, static_cast<std::int64_t>(term.second) < 0);
    text += Product(term, depth);
  }

  // 4·a + 8·b is 4·(a + 2·b); the constant stays outside.
  void AppendFactored(std::string& text, std::vector<Formula::Term> terms, int depth) {
    std::uint64_t common = 0;
    for (const Formula::Term& term : terms) common = std::gcd(common, Size(term.second));
    const bool is_factored = terms.size() >= 2 && common > 1;
    std::string inside;
    std::string& to = is_factored ? inside : text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i == kMostTerms) {
        to += fmt::format(" + {}", kMore);
        break;
      }
      if (is_factored) {
        terms[i].second = static_cast<std::uint64_t>(static_cast<std::int64_t>(terms[i].second) /
                                                     static_cast<std::int64_t>(common));
      }
      Append(to, terms[i], depth);
    }
    if (is_factored) text += fmt::format("{}{}{}({})", Sign(text, false), common, kTimes, inside);
  }

  std::string Product(const Formula::Term& term, int depth) {
    const std::uint64_t size = Size(term.second);
    const bool is_alone = size == 1 && term.first.degree() == 1;
    std::string text = size == 1 ? "" : fmt::format("{}", size);
    for (const AtomId id : Factors(term.first)) {
      if (!text.empty()) text += kTimes;
      const std::string name = Name(id, depth, is_alone);
      written_ += name.size();
      text += name;
    }
    return text;
  }

  // `is_alone`: nothing binds it more tightly than a sum.
  std::string Name(AtomId id, int depth, bool is_alone) {
    const FormulaAtom& atom = atoms_[id];
    const auto in = [&](std::string_view what) { return fmt::format("[{} {}]", what, At(atom.a)); };
    switch (atom.kind) {
      case FormulaKind::kSpecial:
        return std::string(ptx::NameOf(static_cast<ptx::Special>(atom.a)));
      case FormulaKind::kParameter:
        return Parameter(atom);
      case FormulaKind::kSymbol:
        return Variable(atom);
      case FormulaKind::kRound:
      case FormulaKind::kAllRounds:
        return fmt::format("[rounds of the loop in {}]",
                           AtBlock(formulas_.flow().loops()[atom.a].header));
      case FormulaKind::kLoopValue:
      case FormulaKind::kLoopSum:
        return LoopValue(atom, depth);
      case FormulaKind::kLoaded:
        return in(IsAtomic(atom.a) ? "returned by the atomic in" : "loaded in");
      case FormulaKind::kReturned:
        return in("returned by the function called in");
      case FormulaKind::kComputed:
        return IsFloat(atom.a) ? in("computed in floating point in") : in("computed in");
      case FormulaKind::kExchanged:
        return in("exchanged between lanes in");
      case FormulaKind::kUnknown:
        return atom.a < formulas_.function().instructions.size() ? in("not known, from")
                                                                 : "[not known]";
      default:
        return Shortened(depth < kMostNested ? Operation(atom, depth + 1, is_alone)
                                             : std::string(kMore));
    }
  }

  // An operation of which more is left out than is said says nothing.
  static std::string Shortened(const std::string& text) {
    const std::size_t first = text.find(kMore);
    const bool says_nothing =
        first != std::string::npos && text.find(kMore, first + kMore.size()) != std::string::npos;
    return says_nothing ? std::string(kMore) : text;
  }

  // What is written as a call of a function; empty where it is not.
  std::string_view NameOfCalled(const FormulaAtom& atom) const {
    switch (atom.kind) {
      case FormulaKind::kMin:
        return "min";
      case FormulaKind::kMax:
        return "max";
      case FormulaKind::kAbs:
        return "abs";
      case FormulaKind::kFunction:
        return OpcodeName(atom.a);
      default:
        return {};
    }
  }

  std::string Call(std::string_view name, const FormulaAtom& atom, int depth) {
    std::string list;
    for (const Formula& argument : atom.arguments) {
      list += (list.empty() ? "" : ", ") + Write(argument, depth);
    }
    return fmt::format("{}({})", name, list);
  }

  std::string Operation(const FormulaAtom& atom, int depth, bool is_alone) {
    const auto of = [&](std::size_t i) { return Operand(atom.arguments[i], depth); };
    if (const std::string_view sign = SignOf(atom.kind); !sign.empty()) {
      const std::string text = fmt::format("{} {} {}", of(0), sign, of(1));
      return is_alone ? text : "(" + text + ")";
    }
    const std::string_view called = NameOfCalled(atom);
    if (!called.empty()) return Call(called, atom, depth);
    switch (atom.kind) {
      case FormulaKind::kLongSum:
        return "(" + of(0) + " + " + of(1) + ")";
      case FormulaKind::kProduct:
        return of(0) + std::string(kTimes) + of(1);
      case FormulaKind::kCompare:
        return "(" + of(0) + " " + std::string(Symbol(static_cast<ptx::Compare>(atom.a))) + " " +
               of(1) + ")";
      case FormulaKind::kPowerOfTwo:
        return "(1 << " + of(0) + ")";
      case FormulaKind::kWrapped:
        return fmt::format("({} mod 2^{})", of(0), atom.a);
      case FormulaKind::kSignBits:
        return fmt::format("({} < 0 ? {} : 0)", of(0), (std::uint64_t{1} << atom.a) - 1);
      case FormulaKind::kSelect:
        return Choice(atom, depth);
      case FormulaKind::kMerge:
        return Merge(atom, depth);
      default:
        return std::string(kMore);
    }
  }

  // Of an operator: in brackets when it is a sum or product.
  std::string Operand(const Formula& formula, int depth) {
    const std::string text = Write(formula, depth);
    const bool is_simple = formula.constant() || (atoms_.Alone(formula) && !Binds(formula));
    return is_simple ? text : "(" + text + ")";
  }

  // Whether it is written with an operator and without brackets.
  bool Binds(const Formula& formula) const {
    switch (atoms_[*atoms_.Alone(formula)].kind) {
      case FormulaKind::kProduct:
      case FormulaKind::kQuotient:
      case FormulaKind::kRemainder:
      case FormulaKind::kAnd:
      case FormulaKind::kOr:
      case FormulaKind::kXor:
        return true;
      default:
        return false;
    }
  }

  std::string Choice(const FormulaAtom& atom, int depth) {
    const std::string yes = Write(atom.arguments[1], depth);
    const std::string no = Write(atom.arguments[2], depth);
    const std::string condition = Write(atom.arguments[0], depth);
    return fmt::format("({} ? {} : {})", condition, yes, no);
  }

  std::string Merge(const FormulaAtom& atom, int depth) {
    std::string text;
    for (std::uint32_t i = 0; i < atom.b; ++i) {
      text += (i == 0 ? "" : " or ") + Write(atom.arguments[i], depth);
    }
    return fmt::format("({}, decided before {})", text, At(atom.a));
  }

  std::string LoopValue(const FormulaAtom& atom, int depth) {
    const std::string where = AtBlock(atom.b);
    if (atom.kind == FormulaKind::kLoopSum)
      return fmt::format("[added up by the loop in {}]", where);
    if (atom.arguments.empty()) return fmt::format("[carried by the loop in {}]", where);
    return fmt::format("[carried by the loop in {} from {}]", where,
                       Write(atom.arguments[0], depth + 1));
  }

  std::string Parameter(const FormulaAtom& atom) const {
    const bool is_kernel = formulas_.function().is_kernel;
    const bool is_named = is_kernel && atom.a < names_.parameter_names.size();
    std::string name = is_named
                           ? names_.parameter_names[atom.a]
                           : fmt::format("{} {}", is_kernel ? "parameter" : "argument", atom.a + 1);
    if (atom.b != 0) return fmt::format("{} at byte {}", name, atom.b);
    const auto& types = names_.parameter_types;
    if (is_kernel && !is_named && atom.a < types.size() && types[atom.a].ends_with('*')) {
      name += fmt::format(" ({})", types[atom.a]);
    }
    return name;
  }

  std::string Variable(const FormulaAtom& atom) const {
    const auto& symbols = formulas_.function().symbols;
    if (atom.a >= symbols.size()) return "[a variable]";
    return fmt::format("&{}", symbols[atom.a].name);
  }

  std::string At(std::uint32_t instruction) const {
    const auto& instructions = formulas_.function().instructions;
    const std::uint32_t line =
        instruction < instructions.size() ? instructions[instruction].line : 0;
    return names_.line ? names_.line(line) : fmt::format("PTX line {}", line);
  }

  std::string AtBlock(std::uint32_t block) const {
    return At(formulas_.flow().blocks()[block].first);
  }

  bool IsAtomic(std::uint32_t instruction) const {
    return formulas_.function().instructions[instruction].code.op == ptx::Op::kAtom;
  }

  bool IsFloat(std::uint32_t instruction) const {
    const ptx::Opcode& code = formulas_.function().instructions[instruction].code;
    return !code.type.IsInteger() ||
           !(code.from.IsInteger() || code.from.kind == ptx::Type::Kind::kNone);
  }

  std::string_view OpcodeName(std::uint32_t instruction) const {
    const std::string_view text = formulas_.function().instructions[instruction].text;
    return text.substr(0, text.find('.'));
  }

  const FunctionFormulas& formulas_;
  const FormulaAtoms& atoms_;
  const FormulaNames& names_;
  std::size_t written_ = 0;
};

}  // namespace

std::string Words(const FunctionFormulas& formulas, const Formula& formula,
                  const FormulaNames& names) {
  return Writer(formulas, names).Write(formula, 0);
}

}  // namespace coalcheck::address
