// SPDX-License-Identifier: Apache-2.0
//
// A <details> for each cause opens without a script; what the script sorts and filters by stands
// in its data attributes.
#include <fmt/format.h>

#include <set>
#include <vector>

#include "libcoalcheck/findings/cost/place_cost.h"
#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/html/parts.h"
#include "libcoalcheck/output/html/pictures.h"
#include "libcoalcheck/output/view/finding_view.h"

namespace coalcheck::output::html {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

// What the members are found by, when a reader filters.
struct Names {
  std::set<std::string_view> kinds;
  std::set<std::string_view> patterns;
};

Names NamesOf(const Report& report, const findings::Cause& cause) {
  Names names;
  for (const Place* place : cause.members) {
    const Access& access = report.accesses[words::WorstOf(report, *place)];
    names.kinds.insert(cubin::ToString(access.kind));
    for (const patterns::Share& share : access.patterns) {
      if (share.counts.Wasted() == Sectors(0)) continue;
      for (const patterns::Candidate& one : share.pattern.candidates) {
        names.patterns.insert(patterns::ToString(one.pattern));
      }
    }
  }
  return names;
}

double ShareOfProgram(const Report& report, const Place& place) {
  const findings::PlaceCost cost = findings::CostOf(report, place);
  return findings::ShareOf(cost.stalls.Sum().all, report.cost->Sum().all);
}

std::string SummaryCells(const Report& report, const Place& place, const FindingView& view) {
  const findings::Counts& counts = place.counts;
  const bool has_requests = report.present.requests && counts.requests > Requests(0);
  std::string cells = fmt::format(
      "<span class=\"where\">{}</span><span>{}</span><span class=\"where\">{}</span>"
      "<span class=\"number\">{}<span class=\"hidden-text\"> wasted</span></span>"
      "<span class=\"number\">{}<span class=\"hidden-text\"> sectors wasted</span></span>"
      "<span class=\"number\">{}<span class=\"hidden-text\"> sectors a request</span></span>",
      EscapeHtml(Cut(view.where)), view.what,
      EscapeHtml(Cut(words::PrintableName(view.worst->kernel), 300)),
      words::Percent(counts.WastedShare()), words::Short(counts.Wasted().count()),
      has_requests ? words::Average(Per(counts.sectors, counts.requests)) : "–");
  if (report.cost) {
    cells += fmt::format(
        "<span class=\"number\">{}<span class=\"hidden-text\"> of the samples</span></span>",
        words::Percent(ShareOfProgram(report, place)));
  }
  return cells;
}

std::string Chain(const Report& report, const Access& access, cubin::SourceText& sources) {
  if (access.chain.size() < 2) return {};
  std::string items;
  for (const findings::Frame& frame : access.chain) {
    const std::string text = sources.Line(frame.file, frame.line).value_or("");
    items +=
        fmt::format("<li><span class=\"path\">{}:{}</span> in <code>{}</code>{}</li>",
                    EscapeHtml(Cut(words::PathShown(report, frame.file))), frame.line,
                    EscapeHtml(Cut(words::PrintableName(frame.function))),
                    text.empty() ? "" : fmt::format("<br><code>{}</code>", EscapeHtml(Cut(text))));
  }
  return fmt::format(
      "<details class=\"chain\"><summary>inlined: {}, innermost first</summary><ol>{}</ol>"
      "</details>\n",
      words::Count(access.chain.size(), "frame", "frames"), items);
}

// Each member of a cause, and where it stands in the source; nothing for a single one.
std::string Members(const Report& report, const findings::Cause& cause) {
  if (cause.members.size() == 1) return {};
  std::string items;
  for (const Place* place : cause.members) {
    const FindingView view = ViewOf(report, *place);
    const std::string where = EscapeHtml(Cut(view.where));
    const auto& shown = view.worst->shown;
    items +=
        fmt::format("<li>{}: {}</li>",
                    shown ? fmt::format("<a href=\"#{}\">{}</a>", LineId(*shown), where) : where,
                    EscapeHtml(view.claim));
  }
  return fmt::format("<ul class=\"members\">{}</ul>\n", items);
}

std::string Body(const Report& report, const findings::Cause& cause, const FindingView& view,
                 cubin::SourceText& sources, Pictures& pictures) {
  std::string body = fmt::format("<p>{}</p>\n", EscapeHtml(view.claim));
  for (const Detail& detail : view.details) {
    body += fmt::format("<p>{}</p>\n", EscapeHtml(Cut(detail.text)));
  }
  const Access& access = *view.worst;
  if (!access.patterns.empty()) body += pictures.Figure(access.patterns.front());
  body += Chain(report, access, sources) + Members(report, cause);
  if (access.shown && cause.members.size() == 1) {
    body += fmt::format("<p><a href=\"#{}\">in the source</a></p>\n", LineId(*access.shown));
  }
  return body;
}

std::string Item(const Report& report, std::size_t number, const findings::Cause& cause,
                 cubin::SourceText& sources, Pictures& pictures) {
  const FindingView view = ViewOf(report, cause);
  const findings::Counts& counts = cause.whole.counts;
  const Names names = NamesOf(report, cause);
  return fmt::format(
      "<li><details id=\"{}\" data-kind=\"{}\" data-patterns=\"{}\" data-share=\"{:.6f}\" "
      "data-wasted=\"{}\" data-request=\"{:.4f}\" data-cost=\"{:.6f}\"><summary class=\"grid\">{}"
      "</summary><div class=\"body\">\n{}</div></details></li>\n",
      FindingId(number), fmt::join(names.kinds, ", "), fmt::join(names.patterns, ", "),
      counts.WastedShare(), counts.Wasted().count(),
      counts.requests > Requests(0) ? Per(counts.sectors, counts.requests) : 0,
      report.cost ? ShareOfProgram(report, cause.whole) : 0,
      SummaryCells(report, cause.whole, view), Body(report, cause, view, sources, pictures));
}

constexpr std::string_view kControls =
    "<div class=\"controls scripted\" hidden>\n"
    "<label>Filter by file, kernel or pattern<input id=\"filter\" type=\"search\"></label>\n"
    "<label>Access<select id=\"kind\"><option value=\"\">all</option></select></label>\n"
    "<label>Pattern<select id=\"pattern\"><option value=\"\">all</option></select></label>\n"
    "<button type=\"button\" id=\"open\">Open all shown</button>\n"
    "<button type=\"button\" id=\"close\">Close all</button>\n"
    "<span id=\"status\" role=\"status\"></span></div>\n";

std::string SortButton(std::string_view key, std::string_view title, bool is_number) {
  return fmt::format(
      "<button type=\"button\" data-key=\"{}\" aria-pressed=\"false\"{}>{}"
      "<span aria-hidden=\"true\"></span></button>",
      key, is_number ? " class=\"number\"" : "", title);
}

std::string SortButtons(bool has_cost) {
  std::string buttons =
      SortButton("where", "where", false) + SortButton("kind", "access", false) +
      SortButton("kernel", "kernel", false) + SortButton("share", "wasted", true) +
      SortButton("wasted", "sectors", true) + SortButton("request", "a request", true);
  if (has_cost) buttons += SortButton("cost", "of time", true);
  return fmt::format(
      "<div class=\"grid sort scripted\" role=\"group\" aria-label=\"Sort by\" hidden>{}</div>\n",
      buttons);
}

}  // namespace

std::string FindingId(std::size_t number) { return fmt::format("f{}", number + 1); }

std::string FindingsPart(const Report& report, cubin::SourceText& sources) {
  const std::vector<findings::Cause> causes = findings::CausesOf(report);
  std::string part = "<section id=\"findings\"><h2>Findings</h2>\n";
  if (causes.empty()) return part + "<p>There is no finding.</p></section>\n";
  Pictures pictures;
  std::string items;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    items += Item(report, i, causes[i], sources, pictures);
  }
  part += kControls;
  part += SortButtons(report.cost.has_value());
  part += fmt::format("<ol id=\"list\" class=\"list\">\n{}</ol>\n", items);
  part += "<p><button type=\"button\" id=\"more\" hidden>Show more findings</button></p>\n";
  return part + pictures.Symbols() + "</section>\n";
}

}  // namespace coalcheck::output::html
