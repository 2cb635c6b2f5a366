// SPDX-License-Identifier: Apache-2.0
//
// Prints the list of access patterns, and which of them counts cannot tell apart.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/syntax/command_line.h"
#include "libcoalcheck/patterns/advice.h"
#include "libcoalcheck/patterns/collisions.h"

namespace coalcheck::cli {
namespace {

using patterns::CollisionClass;
using patterns::Pattern;

void PrintPatterns() {
  for (int i = 0; i < patterns::kPatterns; ++i) {
    const patterns::Candidate one{static_cast<Pattern>(i), {0, 0}};
    const std::string_view unit = patterns::ToString(patterns::UnitOf(one.pattern));
    const std::string advice = patterns::Advice({{one}, patterns::Confidence::kHigh});
    std::cout << fmt::format("{}{}\n", patterns::ToString(one.pattern),
                             unit.empty() ? "" : fmt::format(":{}", unit));
    if (!advice.empty()) std::cout << "    " << advice << '\n';
  }
}

std::string Names(const std::vector<Pattern>& all) {
  std::vector<std::string_view> names;
  for (const Pattern one : all) names.push_back(patterns::ToString(one));
  return fmt::format("{}", fmt::join(names, ", "));
}

void PrintCollisions() {
  std::cout
      << "Loads of full warps that are alike: pairs of sectors and lines by the patterns that "
         "have them\n\n";
  for (const CollisionClass& of : patterns::CollisionClasses()) {
    std::cout << Names(of.patterns) << '\n';
    for (const CollisionClass::OfWidth& width : of.widths) {
      std::cout << fmt::format("    {:>2} B per lane: {:>3} {}, such as {} in {}\n",
                               width.width.count(), width.pairs,
                               width.pairs == 1 ? "pair" : "pairs", width.example.sectors.count(),
                               width.example.lines.count());
    }
  }
  std::cout << "\nSteps of a strided load from counts alone\n\n";
  for (const patterns::StepsOfWidth& of : patterns::StepsFromCounts()) {
    std::cout << fmt::format(
        "    {:>2} B per lane: {} of {} steps below 32 bytes exact from every place in a line, "
        "and intervals at most {} wide below 128\n",
        of.width.count(), of.exact, of.below_sector, of.widest);
  }
}

}  // namespace

void AddPatternsCommand(Command& coalcheck, SetExitCode set_exit_code) {
  Command command = coalcheck.AddCommand("patterns", "List the access patterns and their remedies");
  command.Footer("docs/patterns/ has a page on each.");
  const auto collisions = std::make_shared<bool>(false);
  command.AddFlag("--collisions", *collisions, "List instead which patterns have the same counts");
  command.OnParsed([collisions, set_exit_code = std::move(set_exit_code)] {
    if (*collisions) {
      PrintCollisions();
    } else {
      PrintPatterns();
    }
    set_exit_code(kClean);
  });
}

}  // namespace coalcheck::cli
