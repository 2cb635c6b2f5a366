// SPDX-License-Identifier: Apache-2.0
//
// A function for each kernel, a cost line for each access; names are told once and then by number.
#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Counts;
using findings::Report;

// "(1) name" the first time, "(1)" from then on.
class Names {
 public:
  std::string Of(const std::string& name) {
    const auto [entry, fresh] = numbers_.try_emplace(name, numbers_.size() + 1);
    return fresh ? fmt::format("({}) {}", entry->second, name) : fmt::format("({})", entry->second);
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

struct Line {
  std::string file;
  std::uint32_t number = 0;
  friend auto operator<=>(const Line&, const Line&) = default;
};
using CountsByLine = std::map<Line, Counts>;

std::string CostLine(std::uint32_t line, const Counts& counts, bool has_requests) {
  return fmt::format("{} {} {}{}\n", line, counts.sectors.count(), counts.ideal.count(),
                     has_requests ? fmt::format(" {}", counts.requests.count()) : "");
}

// Callgrind's name for what it does not know, which its readers understand.
constexpr const char* kUnknownFile = "???";

std::map<std::string, CountsByLine> LinesByFunction(const Report& report) {
  std::map<std::string, CountsByLine> functions;
  for (const Access& access : report.accesses) {
    if (access.is_unknown()) continue;
    Line line{kUnknownFile, 0};
    if (access.shown) line = {words::Printable(access.shown->file), access.shown->line};
    functions[words::PrintableName(access.kernel)][line] += access.counts;
  }
  for (const findings::Unattributed& row : report.unattributed) {
    functions[words::PrintableName(row.function) + " (not attributed)"][{kUnknownFile, 0}] +=
        row.counts;
  }
  return functions;
}

std::string CommandOf(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    if (!recording.header.program.empty()) return words::Printable(recording.header.program);
  }
  return "unknown";
}

}  // namespace

void WriteCallgrind(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  const bool has_requests = report.present.requests;
  std::string text = fmt::format(
      "# callgrind format\nversion: 1\ncreator: coalcheck {}\npid: 0\ncmd: {}\npart: 1\n\n",
      COALCHECK_VERSION, CommandOf(report));
  text += "desc: Trigger: " + SummaryLine(report, verdict) + "\n";
  for (const std::string& note : PolicyNotes(report)) text += "desc: Note: " + note + "\n";
  text += '\n';
  text += fmt::format("positions: line\nevents: Sectors IdealSectors{}\n",
                      has_requests ? " Requests" : "");
  Names files;
  Names functions;
  Counts sum;
  std::string body;
  for (const auto& [name, lines] : LinesByFunction(report)) {
    const std::string& own_file = lines.begin()->first.file;
    body += fmt::format("\nfl={}\nfn={}\n", files.Of(own_file), functions.Of(name));
    std::string current = own_file;
    for (const auto& [line, counts] : lines) {
      if (line.file != current) body += fmt::format("fi={}\n", files.Of(line.file));
      current = line.file;
      body += CostLine(line.number, counts, has_requests);
      sum += counts;
    }
  }
  const std::string totals = CostLine(0, sum, has_requests).substr(2);
  out << text << "summary: " << totals << body << "\ntotals: " << totals;
}

}  // namespace coalcheck::output
