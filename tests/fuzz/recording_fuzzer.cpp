// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a recording: read without a crash, what was read writes back as valid lines that
// read the same, and a report on it adds up and can be printed; so does one on two of it merged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "libcoalcheck/findings/making/by_range.h"
#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/merging/merger.h"
#include "libcoalcheck/merging/records_in_order.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/json/json_writer.h"
#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/reader.h"

namespace {

namespace findings = coalcheck::findings;
using namespace coalcheck::recording;

// Every function has a load at each odd pc, without a line.
class AnyCode : public findings::Code {
 public:
  findings::FunctionLookup Find(coalcheck::CubinId, std::string_view) override {
    for (std::uint32_t pc = 1; function_.accesses.size() < 256; pc += 2) {
      function_.accesses.emplace_back().pc = coalcheck::PcOffset(pc);
    }
    return {&function_, {}, ""};
  }

 private:
  coalcheck::cubin::Function function_;
};

class NoSources : public coalcheck::cubin::SourceText {
 public:
  std::optional<std::uint32_t> LineCount(std::string_view) override { return {}; }
  std::optional<std::string> Line(std::string_view, std::uint32_t) override { return {}; }
};

void Report(const RecordedRun& run) {
  findings::Aggregate aggregate;
  findings::AddRun("fuzzed", run, aggregate);
  AnyCode code;
  NoSources sources;
  const findings::SourceView source{{"/"}, {}, sources};
  findings::Report report =
      findings::MakeReport(std::move(aggregate), code, source, {.min_wasted_share = 0.1});
  findings::GroupByRange({run}, code, source, report);
  for (const findings::RangeGroup& group : report.by_range) {
    if (group.report.sectors > report.sectors) std::abort();
  }
  coalcheck::Counts rows;
  for (const findings::Access& access : report.accesses) rows += access.counts;
  for (const findings::Unattributed& row : report.unattributed) rows += row.counts;
  if (rows.sectors != report.sectors || rows.ideal != report.ideal) std::abort();
  const coalcheck::verdict::Verdict verdict = coalcheck::verdict::Judge(report);
  const std::string text =
      coalcheck::output::Written(coalcheck::output::Format::kText, {report, verdict, sources, {}});
  const std::string json = coalcheck::output::JsonReport(report, verdict);
  if (text.find('\x1b') != std::string::npos || json.empty()) std::abort();
}

RecordedRun MergedWithItself(const RecordedRun& run) {
  coalcheck::merging::Merger merger;
  merger.Add(run);
  merger.Add(run);
  const RecordedRun merged = std::move(merger).Finish();
  std::string lines;
  coalcheck::merging::ForEachLineInOrder(merged, [&](std::string_view, const std::string& line) {
    lines += line;
    return true;
  });
  auto read = ParseRecords(lines);
  if (!read.ok()) std::abort();
  return *std::move(read);
}

template <typename Records>
void AppendLines(const Records& records, std::string& lines) {
  for (const auto& record : records) lines += ToJsonLine(record);
}

std::string WriteAgain(const RecordedRun& run) {
  std::string lines = ToJsonLine(run.header);
  AppendLines(run.devices, lines);
  AppendLines(run.modules, lines);
  AppendLines(run.windows, lines);
  AppendLines(run.tallies, lines);
  AppendLines(run.losses, lines);
  // It vouches for what lay before it, which is not all that is written here; without that, it is
  // none from format 1.6 on.
  if (!run.end || run.header.minor >= 6) return lines;
  return lines + ToJsonLine(*run.end);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto run = ParseRecords({reinterpret_cast<const char*>(data), size});
  if (!run.ok()) return 0;
  const std::string written = WriteAgain(*run);
  const auto again = ParseRecords(written);
  if (!again.ok() || !again->lost_lines.empty() || WriteAgain(*again) != written) std::abort();
  Report(*run);
  Report(MergedWithItself(*run));
  return 0;
}
