// SPDX-License-Identifier: Apache-2.0
//
// Makes the reports that are hard to write.
#include "tests/unit/output/extreme_reports.h"

#include <deque>

#include "libcoalcheck/findings/places/excuses.h"

namespace coalcheck::output {

findings::Report MakeHostileReport(findings::FakeSources& sources, std::string_view foreign) {
  const std::string name(foreign);
  const std::string file = "/src/app/" + name;
  sources.files[file] = {name, "\t" + name, name};
  findings::FakeCode code;
  code.Add(findings::kCubin, name).accesses = {
      findings::MakeAccess(16, cubin::AccessKind::kLoad, {{name, file, 1}, {name, file, 2}}),
      findings::MakeAccess(48, cubin::AccessKind::kStore, {{name, file, 2}})};
  cubin::Function& bare = code.Add(findings::kCubin, name + "2");
  bare.has_lines = false;
  bare.accesses = {findings::MakeAccess(32, cubin::AccessKind::kStore, {})};
  recording::RecordedRun run = findings::MakeRun();
  run.header.program = name;
  run.windows = {findings::MakeWindow(
                     1, name, {findings::MakeRow(16, 8, 32, 4), findings::MakeRow(48, 8, 4, 4)}),
                 findings::MakeWindow(2, name + "2", {findings::MakeRow(32, 8, 16, 4)}),
                 findings::MakeWindow(3, name, {findings::MakeRow(16, 1, 4, 4)}, std::nullopt)};
  run.range_sets = {{RangeSetId(1), {{name, name, RangeKind::kPushPop}}}};
  run.windows[0].inside[0].shape.ranges = RangeSetId(1);
  run.losses = {{name, name, 2}};
  run.unmatched = {{name, name, {name}}};
  findings::Report report = findings::ReportOn(
      {run}, code, sources, {}, findings::kDefaultMinWastedShare, findings::Scope::kAll);
  report.unreadable = {{name, name}};
  return report;
}

findings::Report MakeManyFindings(std::uint32_t findings, findings::FakeSources& sources) {
  constexpr std::uint32_t kInEachFile = 100;
  std::deque<std::string> kernels;  // frames only look at their names
  findings::FakeCode code;
  recording::RecordedRun run = findings::MakeRun();
  for (std::uint32_t first = 0; first < findings; first += kInEachFile) {
    const std::string number = std::to_string(first / kInEachFile);
    const std::string& kernel =
        kernels.emplace_back("_Z10kernel_" + std::string(7 - number.size(), '0') + number + "v");
    const std::string file = "/src/app/part" + number + ".cu";
    std::vector<std::string>& text = sources.files[file];
    cubin::Function& function = code.Add(findings::kCubin, kernel);
    std::vector<recording::CountRow> rows;
    for (std::uint32_t i = 0; i < kInEachFile && first + i < findings; ++i) {
      text.push_back("  out[index * " + std::to_string(i) + "] = in[index];");
      const std::uint32_t pc = 16 * (i + 1);
      function.accesses.push_back(findings::MakeAccess(
          pc, i % 2 == 0 ? cubin::AccessKind::kLoad : cubin::AccessKind::kStore,
          {{"_Z6helperv", "/opt/helper.h", i % 7 + 1},
           {kernel, sources.files.find(file)->first, i + 1}}));
      rows.push_back(findings::MakeRow(pc, 1000 + first + i, 8 + i % 25, 4));
    }
    run.windows.push_back(findings::MakeWindow(first + 1, kernel, std::move(rows)));
  }
  sources.files["/opt/helper.h"] = std::vector<std::string>(8, "  return data[i];");
  return findings::ReportOn({run}, code, sources);
}

findings::Report MakeFieldsReport(findings::FakeSources& sources) {
  findings::Report report = MakeManyFindings(5, sources);
  const cost::StallTime fifth{Cycles(100), Cycles(50)};
  findings::ProgramCost& program = report.cost.emplace();
  for (findings::Access& access : report.accesses) {
    findings::AddressText& text = access.instructions.front().address_text;
    text.pointer = 0;
    text.apart = "neighbouring threads are 20 bytes apart";
    access.cost.emplace();
    access.cost->stalls[cost::StallKind::kLongScoreboard] = fifth;
    access.cost->kernel = {Cycles(500), Cycles(250)};
    access.cost->gain = {0.04, 0.1};
    program.accesses += fifth;
  }
  return report;
}

findings::Report MakeSuppressedReport(findings::FakeSources& sources) {
  findings::Report report = MakeManyFindings(2, sources);
  for (std::size_t i = 0; i < report.places.size(); ++i) {
    const findings::Excuse excuse{findings::Excuse::By::kSuppression,
                                  i == 0 ? "part0.cu:1: no gain" : "coalcheck.toml:7: not ours",
                                  /*in_source=*/i == 0};
    findings::ExcusePlace(excuse, report.places[i], report.accesses);
  }
  return report;
}

findings::Report MakeEmptyReport(findings::FakeSources& sources) {
  findings::FakeCode code;
  return findings::ReportOn({findings::MakeRun()}, code, sources);
}

}  // namespace coalcheck::output
