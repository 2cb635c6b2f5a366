// SPDX-License-Identifier: Apache-2.0
//
// Library code in one row, however many kernels it has; the remedy for missing lines once.
#include "libcoalcheck/output/view/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places/places.h"
#include "libcoalcheck/findings/places/scope.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/notes.h"

namespace coalcheck::output {
namespace {

using findings::LibraryCode;
using findings::Report;

// What says that a kernel is a framework's, and how such kernels get lines.
struct HowToGetLines {
  bool (*made)(std::string_view mangled);
  std::string_view words;
};
constexpr HowToGetLines kHowToGetLines[] = {
    // The version of a function, which Numba writes as an ABI tag.
    {[](std::string_view name) {
       return name.starts_with("_Z") && name.find("B2v") != std::string_view::npos;
     },
     "to see lines of Numba's kernels: @cuda.jit(lineinfo=True); the code stays the same"},
    {[](std::string_view name) { return name.starts_with("cupy_"); },
     "CuPy's own kernels have no lines; those of RawKernel and RawModule: "
     "options=('-lineinfo',)"},
    {[](std::string_view name) { return name.starts_with("kernel_cutlass_"); },
     "to see lines of CuTe DSL's kernels: the environment variable CUTE_DSL_LINEINFO=1"},
    {[](std::string_view) { return true; },
     "to see lines, compile with -lineinfo (nvcc and NVRTC; CuPy's RawKernel: "
     "options=('-lineinfo',)); the code stays the same"},
};

// A sentence for each framework that has kernels without lines.
void AddHowToGetLines(const Report& report, std::vector<std::string>& notes) {
  std::array<bool, std::size(kHowToGetLines)> said{};
  for (const findings::KernelCoverage& kernel : report.kernels) {
    if (!kernel.lacks_lines) continue;
    const auto* how = std::ranges::find_if(
        kHowToGetLines, [&](const HowToGetLines& one) { return one.made(kernel.kernel); });
    said[static_cast<std::size_t>(how - kHowToGetLines)] = true;
  }
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i]) notes.emplace_back(kHowToGetLines[i].words);
  }
}

std::string LibraryRow(const LibraryCode& library) {
  std::string row = fmt::format("library code, not judged: {} in {}, {} sectors, {} of them wasted",
                                words::Count(library.accesses, "access", "accesses"),
                                words::Count(library.kernels, "kernel", "kernels"),
                                words::Short(library.sectors.count()),
                                words::Percent(Per(library.Wasted(), library.sectors)));
  if (library.kernels_without_lines > 0) {
    row += fmt::format("; {} without line information",
                       words::Count(library.kernels_without_lines, "kernel", "kernels"));
  }
  return row + " (--scope all shows them)";
}

void AddKernelsWithoutLines(const Report& report, std::vector<std::string>& notes) {
  // Instantiations of one template are one row.
  std::map<std::string, std::vector<std::string_view>> templates;
  for (const findings::KernelCoverage& kernel : report.kernels) {
    if (!kernel.lacks_lines) continue;
    templates[findings::BaseName(Demangle(kernel.kernel))].push_back(kernel.kernel);
  }
  std::size_t rows = 0;
  for (const auto& [name, kernels] : templates) {
    if (++rows > kMostRows) continue;
    notes.push_back(fmt::format(
        "no line information in {}",
        kernels.size() == 1 ? words::ShortName(kernels.front())
                            : fmt::format("{} instantiations of {}", words::Grouped(kernels.size()),
                                          words::Printable(name))));
  }
  if (rows > kMostRows) {
    notes.push_back(fmt::format("… and {} more kernels without line information",
                                words::Grouped(rows - kMostRows)));
  }
  AddHowToGetLines(report, notes);
}

std::string FellBack(const Report& report) {
  const std::string root =
      report.source_root.empty() ? "" : " " + words::Printable(report.source_root);
  return fmt::format(
      "no access lies under the source root{}, so all are judged, as with --scope all; "
      "--source-root names the folder of your own sources",
      root);
}

}  // namespace

std::vector<std::string> ScopeNotes(const Report& report) {
  std::vector<std::string> notes;
  if (report.scope == findings::Scope::kAll) {
    const bool fell_back = report.scope_asked != report.scope;
    if (fell_back) notes.push_back(FellBack(report));
    AddKernelsWithoutLines(report, notes);
    return notes;
  }
  const LibraryCode library = LibraryCodeOf(report);
  if (library.accesses == 0) return notes;
  notes.push_back(LibraryRow(library));
  if (library.kernels_without_lines > 0) AddHowToGetLines(report, notes);
  return notes;
}

std::string NotJudged(const Report& report) {
  const LibraryCode library = LibraryCodeOf(report);
  if (library.accesses == 0) return {};
  return fmt::format("; {} in library code not judged (--scope all)",
                     words::Count(library.accesses, "access", "accesses"));
}

}  // namespace coalcheck::output
