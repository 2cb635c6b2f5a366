// SPDX-License-Identifier: Apache-2.0
//
// Names parameters by number and loads by their line.
#include "libcoalcheck/prediction/prediction_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "libcoalcheck/address/parameter_types.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/base/shell_word.h"
#include "libcoalcheck/cubin/line_shown.h"
#include "libcoalcheck/findings/places/fingerprint.h"
#include "libcoalcheck/prediction/launch_words.h"

namespace coalcheck::prediction {
namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kMostJoined = 256;  // each is looked for among the others

std::string List(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNamed) text += ", …";
  return text;
}

// "parameter 4 (int height)", as far as it is known.
std::vector<std::string> NamesOf(const Open& open) {
  const std::vector<std::string> types = address::ParameterTypes(Demangle(open.kernel));
  std::vector<std::string> names;
  for (const std::uint32_t number : open.parameters) {
    const std::string type = number < types.size() ? types[number] : "";
    const std::string name = number < open.names.size() ? open.names[number] : "";
    const std::string both = type + (type.empty() || name.empty() ? "" : " ") + name;
    names.push_back(
        fmt::format("parameter {}{}", number + 1, both.empty() ? "" : " (" + both + ")"));
  }
  return names;
}

std::vector<std::string> LinesOf(const std::vector<std::uint32_t>& ptx_lines,
                                 const cubin::AccessesByLine& accesses,
                                 const findings::SourceView& source) {
  std::set<std::uint32_t> lines;
  for (const std::uint32_t ptx_line : ptx_lines) {
    const cubin::GlobalAccess* found = accesses.First(ptx_line);
    if (found == nullptr) continue;
    const cubin::SourceFrame* shown = cubin::LineShown(found->frames, source.scope);
    if (shown != nullptr) lines.insert(shown->line);
  }
  std::vector<std::string> names;
  for (const std::uint32_t line : lines) names.push_back(fmt::format("line {}", line));
  return names;
}

}  // namespace

std::vector<std::string> Assumptions(const Reliance& reliance) {
  std::vector<std::string> all = {
      "blocks are a whole number of warps wide along x",
      "pointer parameters are aligned to 256 bytes",
      "a guard that depends on a parameter or on loaded data lets whole warps through",
      "a guard or a loop that a parameter bounds lets more than one row or round through",
      "the grid has several blocks along each axis that addresses follow",
      "blocks of other shapes, and blocks elsewhere in a grid, do as those that are tried"};
  if (reliance.is_on_stores) {
    all.emplace_back("no two threads store to one place without a barrier between");
  }
  if (reliance.is_on_rounds) {
    all.emplace_back(
        "loops that are not followed to their end go on as they began, and no number in them "
        "outgrows its type");
  }
  if (reliance.is_on_ptx) all.emplace_back("the assembler loads as many bytes as the PTX says");
  if (reliance.is_on_calls) all.emplace_back("functions that are not followed end no thread");
  return all;
}

void Join(const Open& other, Open& open) {
  const auto add = [](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
    for (const std::uint32_t one : from) {
      if (to.size() == kMostJoined) return;
      if (std::ranges::find(to, one) == to.end()) to.push_back(one);
    }
  };
  if (open.kernel.empty()) open.kernel = other.kernel;
  if (open.names.empty() && open.kernel == other.kernel) open.names = other.names;
  if (open.kernel == other.kernel) add(other.parameters, open.parameters);
  add(other.ptx_lines, open.ptx_lines);
  open.has_variables = open.has_variables || other.has_variables;
  open.lanes_by_data = open.lanes_by_data || other.lanes_by_data;
  if (open.why.empty()) open.why = other.why;
}

OpenWords WordsOf(const Open& open, const cubin::AccessesByLine& accesses,
                  const findings::SourceView& source) {
  if (!open.why.empty()) return {open.why, ""};
  const std::vector<std::string> lines = LinesOf(open.ptx_lines, accesses, source);
  const std::string loaded = open.ptx_lines.empty() ? ""
                             : lines.empty()        ? "a loaded value"
                                                    : "what is loaded in " + List(lines);
  if (open.lanes_by_data) {
    return {fmt::format("{} makes lanes differ", loaded.empty() ? "a loaded value" : loaded),
            "only a run tells"};
  }
  std::string why = List(NamesOf(open));
  if (!loaded.empty()) why += (why.empty() ? "" : " and ") + loaded;
  if (why.empty() && open.has_variables)
    return {"where a __device__ variable lies decides", "only a run tells"};
  if (why.empty())
    return {"the size of the block or the grid or the rounds of a loop decide",
            "a launch tells (--launches, --launch)"};
  const bool is_one = open.parameters.size() + lines.size() <= 1;
  why += is_one ? " decides" : " decide";
  if (open.parameters.empty()) return {why, "only a run tells"};
  return {why,
          fmt::format("--launches, or --launch {}, tells",
                      QuoteForShell(fmt::format("{}: {}=…", findings::StableKernelName(open.kernel),
                                                WordOf(open.parameters.front(), open.names))))};
}

}  // namespace coalcheck::prediction
