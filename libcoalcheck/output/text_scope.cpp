// SPDX-License-Identifier: Apache-2.0
//
// Library code in one row, however many kernels it has; the remedy for missing lines once.
#include "libcoalcheck/output/text_scope.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places.h"
#include "libcoalcheck/findings/scope.h"
#include "libcoalcheck/findings/words.h"
#include "libcoalcheck/output/text_notes.h"

namespace coalcheck::output {
namespace {

using findings::LibraryCode;
using findings::Report;

constexpr std::string_view kHowToGetLines =
    "to see lines, compile with -lineinfo (nvcc and NVRTC; CuPy: options=('-lineinfo',); "
    "Numba: @cuda.jit(lineinfo=True)); the code stays the same";

// More kernels than this are summed up.

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
  if (rows > 0) notes.emplace_back(kHowToGetLines);
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
  if (library.kernels_without_lines > 0) notes.emplace_back(kHowToGetLines);
  return notes;
}

std::string NotJudged(const Report& report) {
  const LibraryCode library = LibraryCodeOf(report);
  if (library.accesses == 0) return {};
  return fmt::format("; {} in library code not judged (--scope all)",
                     words::Count(library.accesses, "access", "accesses"));
}

}  // namespace coalcheck::output
