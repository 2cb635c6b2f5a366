// SPDX-License-Identifier: Apache-2.0
//
// A table for each file. Heat is in a colour and in a number, since not everybody sees the colour.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/html/parts.h"

namespace coalcheck::output::html {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

constexpr std::uint32_t kAround = 3;
constexpr std::uint32_t kLastLine = std::numeric_limits<std::uint32_t>::max();
constexpr int kHottest = 5;

struct LineFacts {
  findings::Counts counts;
  std::vector<std::size_t> findings;  // the numbers of their causes
};
using FileFacts = std::map<std::uint32_t, LineFacts>;
using AllFacts = std::map<std::string, FileFacts, std::less<>>;

AllFacts FactsOf(const Report& report) {
  AllFacts facts;
  const std::vector<findings::Cause> causes = findings::CausesOf(report);
  for (std::size_t i = 0; i < causes.size(); ++i) {
    for (const Place* place : causes[i].members) {
      const Access& access = report.accesses[place->accesses.front()];
      if (!access.shown) continue;
      std::vector<std::size_t>& of_line = facts[access.shown->file][access.shown->line].findings;
      if (of_line.empty() || of_line.back() != i) of_line.push_back(i);
    }
  }
  for (const Access& access : report.accesses) {
    if (!access.shown || !access.in_scope || access.is_unknown()) continue;
    const auto file = facts.find(access.shown->file);
    if (file != facts.end()) file->second[access.shown->line].counts += access.counts;
  }
  return facts;
}

Sectors MostWasted(const AllFacts& facts) {
  Sectors most;
  for (const auto& [file, lines] : facts) {
    for (const auto& [number, line] : lines) most = std::max(most, line.counts.Wasted());
  }
  return most;
}

// From 1 to 5, a step for each factor of four below the hottest line; 0 for no waste.
int HeatOf(Sectors wasted, Sectors most) {
  if (wasted == Sectors(0) || most == Sectors(0)) return 0;
  const double below = std::log(Per(most, wasted)) / std::log(4.0);
  return std::max(1, kHottest - static_cast<int>(below));
}

std::set<std::uint32_t> LinesToShow(const FileFacts& lines) {
  std::set<std::uint32_t> shown;
  for (const auto& [number, line] : lines) {
    if (line.findings.empty()) continue;
    const std::uint64_t last = std::min<std::uint64_t>(std::uint64_t{number} + kAround, kLastLine);
    for (std::uint64_t i = number > kAround ? number - kAround : 1; i <= last; ++i) {
      shown.insert(static_cast<std::uint32_t>(i));
    }
  }
  return shown;
}

std::string Links(const std::vector<std::size_t>& findings) {
  constexpr std::size_t kMostLinks = 5;
  std::string links;
  for (std::size_t i = 0; i < std::min(findings.size(), kMostLinks); ++i) {
    links += fmt::format("<a href=\"#{}\">{}{}</a> ", FindingId(findings[i]),
                         i == 0 ? "finding " : "", findings[i] + 1);
  }
  if (findings.size() > kMostLinks) {
    links += fmt::format("and {} more", findings.size() - kMostLinks);
  }
  return links;
}

std::string Row(const findings::Frame& where, const LineFacts& line, Sectors most,
                const std::string& text) {
  const int heat = HeatOf(line.counts.Wasted(), most);
  const bool counted = line.counts.sectors > Sectors(0);
  return fmt::format(
      "<tr{}{}><td class=\"number faint\">{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td><td><pre>{}</pre></td><td>{}</td></tr>\n",
      line.findings.empty() ? "" : fmt::format(" id=\"{}\"", LineId(where)),
      heat > 0 ? fmt::format(" class=\"heat{}\"", heat) : "", where.line,
      counted ? words::Short(line.counts.Wasted().count()) : "",
      counted ? words::Percent(line.counts.WastedShare()) : "", EscapeHtml(Cut(text)),
      Links(line.findings));
}

constexpr std::string_view kHead =
    "<div class=\"scroll\"><table><thead><tr><th class=\"number\" scope=\"col\">line</th>"
    "<th class=\"number\" scope=\"col\">sectors wasted</th>"
    "<th class=\"number\" scope=\"col\">share</th><th scope=\"col\">source</th>"
    "<th scope=\"col\">findings</th></tr></thead><tbody>\n";

std::string File(const Report& report, const std::string& file, const FileFacts& lines,
                 Sectors most, cubin::SourceText& sources) {
  std::string section = fmt::format("<section class=\"source\"><h3 class=\"path\">{}</h3>\n",
                                    EscapeHtml(Cut(words::PathShown(report, file))));
  std::string rows;
  bool readable = sources.LineCount(file).has_value();
  std::uint32_t last = 0;
  for (const std::uint32_t number : LinesToShow(lines)) {
    const std::optional<std::string> text = sources.Line(file, number);
    const auto facts = lines.find(number);
    if (!text && facts == lines.end()) continue;
    readable = readable || text;
    if (last != 0 && number != last + 1) {
      rows += "<tr class=\"gap\"><td></td><td></td><td></td><td>…</td><td></td></tr>\n";
    }
    last = number;
    rows += Row({"", file, number}, facts == lines.end() ? LineFacts() : facts->second, most,
                text.value_or(""));
  }
  if (!readable) section += "<p class=\"faint\">The text of this file could not be read.</p>\n";
  section += kHead;
  section += rows;
  return section + "</tbody></table></div></section>\n";
}

}  // namespace

std::string LineId(const findings::Frame& frame) {
  return fmt::format("l{}-{}", ToHex(HashCubin(frame.file)), frame.line);
}

std::string SourcesPart(const Report& report, cubin::SourceText& sources) {
  const AllFacts facts = FactsOf(report);
  if (facts.empty()) return {};
  const Sectors most = MostWasted(facts);
  std::string part =
      "<section id=\"sources\"><h2>Sources</h2>\n<p class=\"faint\">Lines around findings. The "
      "darker a line, the more sectors it wastes.</p>\n";
  for (const auto& [file, lines] : facts) part += File(report, file, lines, most, sources);
  return part + "</section>\n";
}

}  // namespace coalcheck::output::html
