// SPDX-License-Identifier: Apache-2.0
//
// What lanes have to do with an address, in one phrase.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/formula_words.h"

namespace coalcheck::address {
namespace {

std::string Apart(const FunctionFormulas& formulas, const Formula& step, Bytes width,
                  const FormulaNames& names) {
  if (const auto bytes = step.constant()) {
    if (*bytes == 0) return "consecutive threads have the same address";
    const bool minus = static_cast<std::int64_t>(*bytes) < 0;
    return fmt::format("consecutive threads are {} bytes apart", minus ? 0 - *bytes : *bytes);
  }
  const bool is_whole = width.count() > 0 && step.CommonFactor() % width.count() == 0;
  const std::string words = Words(formulas, is_whole ? step.DividedBy(width.count()) : step, names);
  return fmt::format("consecutive threads are {} {} apart", words, is_whole ? "elements" : "bytes");
}

std::string Loads(const FunctionFormulas& formulas, const LanePart& part,
                  const FormulaNames& names) {
  std::vector<std::string> lines;
  for (const std::uint32_t load : part.loads) {
    std::string line = names.line(formulas.function().instructions[load].line);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : " and ") + line;
  return text;
}

}  // namespace

std::string LaneWords(const FunctionFormulas& formulas, const LanePart& part, Bytes width,
                      const FormulaNames& names) {
  switch (part.kind) {
    case LanePart::Kind::kNone:
      return "the same for all lanes";
    case LanePart::Kind::kConstants:
      return part.step ? Apart(formulas, *part.step, width, names)
                       : "differs between lanes as the code says";
    case LanePart::Kind::kOfRun:
      return part.step ? Apart(formulas, *part.step, width, names)
                       : "differs between lanes as the launch decides";
    case LanePart::Kind::kLoaded:
      return "depends on what is loaded in " + Loads(formulas, part, names);
    case LanePart::Kind::kNotKnown:
      break;
  }
  return {};
}

}  // namespace coalcheck::address
