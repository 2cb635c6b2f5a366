// SPDX-License-Identifier: Apache-2.0
//
// Rules, fingerprints and sentences that several forms share.
#include "libcoalcheck/output/view/finding_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

}  // namespace

std::span<const Place> FindingPlaces(const Report& report) {
  const auto end = std::ranges::find(report.places, false, &Place::is_finding);
  return {report.places.begin(), end};
}

std::vector<const Place*> FindingsAndSuppressed(const Report& report) {
  std::vector<const Place*> listed;
  for (const Place& place : report.places) {
    const bool is_suppressed =
        place.in_scope && place.excuse && place.excuse->by == findings::Excuse::By::kSuppression;
    if (place.is_finding || is_suppressed) listed.push_back(&place);
  }
  return listed;
}

bool LiesUnderRoot(const Report& report, const findings::Frame& frame) {
  return words::PathShown(report, frame.file) != frame.file;
}

std::string SourceOf(const Access& access, cubin::SourceText& sources) {
  if (!access.shown) return {};
  return sources.Line(access.shown->file, access.shown->line).value_or("");
}

std::string RuleOf(cubin::AccessKind kind) {
  std::string rule = fmt::format("uncoalesced-{}", cubin::ToString(kind));
  std::ranges::replace(rule, ' ', '-');
  return rule;
}

std::vector<std::string> FingerprintsOf(const Report& report) {
  std::map<std::string, std::uint64_t> seen;
  std::vector<std::string> fingerprints;
  for (const Place* place : FindingsAndSuppressed(report)) {
    const std::string fingerprint = ToHex(place->identity.fingerprint);
    const std::uint64_t before = seen[fingerprint]++;
    fingerprints.push_back(
        before == 0 ? fingerprint : ToHex(HashCubin(fmt::format("{}{}", fingerprint, before))));
  }
  return fingerprints;
}

std::string Paragraph(const FindingView& view) {
  std::string text = view.claim;
  for (const Detail& detail : view.details) text += '\n' + Cut(detail.text);
  return text;
}

std::string WithoutLine(std::size_t findings) {
  if (findings == 0) return {};
  return fmt::format("{} no line information and cannot be shown here: the text report names {}",
                     words::Count(findings, "finding has", "findings have"),
                     findings == 1 ? "it" : "them");
}

bool WasJudged(const verdict::Verdict& verdict) {
  return verdict.tolerated || verdict.outcome == verdict::Outcome::kClean ||
         verdict.outcome == verdict::Outcome::kFindings;
}

}  // namespace coalcheck::output
