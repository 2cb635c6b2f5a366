// SPDX-License-Identifier: Apache-2.0
//
// Pointers first, then what is added to them with the element size in front.
#include "libcoalcheck/address/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace coalcheck::address {
namespace {

constexpr std::string_view kTimes = "\u00b7";
constexpr std::size_t kMostTerms = 12;  // longer ones help nobody

std::string Axis(std::string_view name, std::uint32_t axis) {
  return fmt::format("{}.{}", name, "xyz"[axis % 3]);
}

class Writer {
 public:
  Writer(const AddressExpression& address, const Names& names) : address_(address), names_(names) {}

  std::string Write(const Sum& sum, int depth = 0) const {
    std::vector<Term> first;
    std::vector<Term> rest;
    for (const Term& term : sum.terms) {
      const bool pointer = term.coefficient == 1 && term.factors.size() == 1;
      (pointer ? first : rest).push_back(term);
    }
    std::string text;
    for (const Term& term : first) Append(text, term, depth);
    AppendFactored(text, rest, sum.constant, depth);
    return text.empty() ? "0" : text;
  }

  std::string Product(const Term& term, int depth = 0) const {
    std::string text;
    for (const Factor& factor : term.factors) {
      if (!text.empty()) text += kTimes;
      text += Name(factor, depth);
    }
    const auto number = static_cast<std::uint64_t>(term.coefficient);
    const std::uint64_t size = term.coefficient < 0 ? ~number + 1 : number;
    return size == 1 ? text : fmt::format("{}{}{}", size, kTimes, text);
  }

 private:
  void Append(std::string& text, const Term& term, int depth) const {
    const bool minus = term.coefficient < 0;
    if (!text.empty()) text += minus ? " - " : " + ";
    if (text.empty() && minus) text += "-";
    text += Product(term, depth);
  }

  // A number that is no sensible factor is 1.
  static std::int64_t Small(std::int64_t coefficient) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40U;
    return coefficient < kMost && coefficient > -kMost ? coefficient : 1;
  }

  // 4·a + 8·b is 4·(a + 2·b); the constant stays outside.
  void AppendFactored(std::string& text, std::vector<Term> terms, std::int64_t constant,
                      int depth) const {
    std::int64_t common = 0;
    for (const Term& term : terms) common = std::gcd(common, Small(term.coefficient));
    if (terms.size() < 2 || common <= 1) {
      for (const Term& term : terms) Append(text, term, depth);
    } else {
      std::string inside;
      for (Term& term : terms) {
        term.coefficient /= common;
        Append(inside, term, depth);
      }
      text += fmt::format("{}{}{}({})", text.empty() ? "" : " + ", common, kTimes, inside);
    }
    if (constant == 0) return;
    const bool minus = constant < 0;
    const std::uint64_t size =
        minus ? ~static_cast<std::uint64_t>(constant) + 1 : static_cast<std::uint64_t>(constant);
    text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    text += fmt::format("{}", size);
  }

  std::string Name(const Factor& factor, int depth) const {
    switch (factor.kind) {
      case FactorKind::kThreadIdx:
        return Axis("threadIdx", factor.number);
      case FactorKind::kBlockIdx:
        return Axis("blockIdx", factor.number);
      case FactorKind::kBlockDim:
        return Axis("blockDim", factor.number);
      case FactorKind::kGridDim:
        return Axis("gridDim", factor.number);
      case FactorKind::kLaneId:
        return "lane";
      case FactorKind::kParameter:
        return Parameter(factor);
      case FactorKind::kConstant:
        return fmt::format("constant {}:0x{:x}", factor.number, factor.byte);
      case FactorKind::kRounds:
        return fmt::format("rounds of the loop at 0x{:04x}", factor.pc.value());
      case FactorKind::kLoaded:
        return fmt::format("[{}]", names_.load(factor.pc));
      case FactorKind::kBits:
        return BitsName(factor, depth);
      case FactorKind::kUniform:
      case FactorKind::kOfRun:
        return "(the same for all lanes)";
      case FactorKind::kRow:
        return "(row)";
      case FactorKind::kUnknown:
        return "(unknown)";
    }
    return "?";
  }

  std::string Parameter(const Factor& factor) const {
    std::string name = fmt::format("parameter {}", factor.number);
    const auto& types = names_.parameter_types;
    const bool typed = factor.number >= 1 && factor.number <= types.size();
    if (factor.byte != 0) return fmt::format("{} at byte {}", name, factor.byte);
    if (typed && types[factor.number - 1].ends_with('*')) {
      name += fmt::format(" ({})", types[factor.number - 1]);
    }
    return name;
  }

  std::string BitsName(const Factor& factor, int depth) const {
    if (factor.number >= address_.bits.size() || depth > 3) return "(bits)";
    const Bits& bits = address_.bits[factor.number];
    std::string text = Write(bits.of, depth + 1);
    if (bits.of.terms.size() + (bits.of.constant != 0 ? 1 : 0) > 1) text = "(" + text + ")";
    if (bits.shifted_right != 0) text += fmt::format(" >> {}", bits.shifted_right);
    if (bits.mask != 0xffffffff) {
      text +=
          bits.mask < 10 ? fmt::format(" & {}", bits.mask) : fmt::format(" & 0x{:x}", bits.mask);
    }
    return "(" + text + ")";
  }

  const AddressExpression& address_;
  const Names& names_;
};

std::string Apart(const AddressExpression& address, const LaneStep& step, Bytes width,
                  const Names& names) {
  if (step.bytes) {
    if (*step.bytes == 0) return "consecutive threads have the same address";
    return fmt::format("consecutive threads are {} bytes apart",
                       *step.bytes < 0 ? ~static_cast<std::uint64_t>(*step.bytes) + 1
                                       : static_cast<std::uint64_t>(*step.bytes));
  }
  const bool is_unnamed = std::ranges::all_of(step.sum.terms, [](const Term& term) {
    return std::ranges::any_of(term.factors, [](const Factor& factor) {
      return factor.kind == FactorKind::kUniform || factor.kind == FactorKind::kOfRun;
    });
  });
  if (is_unnamed) return "consecutive threads are a computed number of bytes apart";
  Sum elements = step.sum;
  const auto size = static_cast<std::int64_t>(width.count());
  bool whole = size > 0 && elements.constant % std::max<std::int64_t>(size, 1) == 0;
  for (const Term& term : elements.terms) whole = whole && term.coefficient % size == 0;
  if (whole) {
    elements.constant /= size;
    for (Term& term : elements.terms) term.coefficient /= size;
  }
  return fmt::format("consecutive threads are {} {} apart", Writer(address, names).Write(elements),
                     whole ? "elements" : "bytes");
}

std::string Loads(const AddressExpression& address, const Names& names) {
  std::vector<std::string> loads;
  for (const PcOffset pc : address.loads) {
    std::string name = names.load(pc);
    if (std::find(loads.begin(), loads.end(), name) == loads.end()) loads.push_back(name);
  }
  std::string text;
  for (const std::string& load : loads) text += (text.empty() ? "" : " and ") + load;
  return text;
}

}  // namespace

std::vector<std::string> ParameterTypes(std::string_view demangled) {
  if (!demangled.ends_with(')')) return {};
  // The list is the last group of parentheses; types of functions nest.
  std::size_t open = demangled.size() - 1;
  int depth = 1;
  while (open > 0 && depth > 0) {
    --open;
    if (demangled[open] == ')') ++depth;
    if (demangled[open] == '(') --depth;
  }
  if (depth != 0) return {};
  std::vector<std::string> types;
  std::string type;
  for (const char c : demangled.substr(open + 1)) {
    if (c == '(' || c == '<' || c == '[') ++depth;
    if ((c == ',' && depth == 0) || (c == ')' && depth == 0)) {
      types.push_back(type.starts_with(' ') ? type.substr(1) : type);
      type.clear();
      continue;
    }
    if (c == ')' || c == '>' || c == ']') --depth;
    type += c;
  }
  return types;
}

std::string Describe(const AddressExpression& address, const Names& names) {
  if (address.lanes == LaneDependence::kNotKnown || address.sum.terms.size() > kMostTerms) {
    return {};
  }
  return Writer(address, names).Write(address.sum);
}

std::string DescribeLanes(const AddressExpression& address, Bytes width, const Names& names) {
  switch (address.lanes) {
    case LaneDependence::kNone:
      return "the same for all lanes";
    case LaneDependence::kLoaded:
      return "depends on " + Loads(address, names);
    case LaneDependence::kIndex: {
      const std::optional<LaneStep> step = StepInX(address);
      if (!step) return {};
      return Apart(address, *step, width, names) + (address.in_rows ? " within a row" : "");
    }
    case LaneDependence::kNotKnown:
      break;
  }
  return {};
}

}  // namespace coalcheck::address
