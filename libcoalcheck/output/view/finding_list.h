// SPDX-License-Identifier: Apache-2.0
//
// The findings of a report, and what a form for machines says of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/view/finding_view.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::output {

// Findings come first among the places, the costliest before the others.
std::span<const findings::Place> FindingPlaces(const findings::Report& report);

// Whether a form may point at the line: its file lies under the source root.
bool LiesUnderRoot(const findings::Report& report, const findings::Frame& frame);

// The text of the line shown, empty when it cannot be read.
std::string SourceOf(const findings::Access& access, cubin::SourceText& sources);

// "uncoalesced-load": a kind of access that can be a finding, as one rule.
std::string RuleOf(cubin::AccessKind kind);

// What the thresholds call findings: FindingPlaces, then those that a suppression excuses.
std::vector<const findings::Place*> FindingsAndSuppressed(const findings::Report& report);

// The fingerprint of each finding of FindingsAndSuppressed, which the next build has, too: 16
// digits, no two alike.
std::vector<std::string> FingerprintsOf(const findings::Report& report);

// The claim, and after it the details, a line each.
std::string Paragraph(const FindingView& view);

// "1 finding has no line information and cannot be shown here"; empty for none.
std::string WithoutLine(std::size_t findings);

// Whether silence about findings means that there are none.
bool WasJudged(const verdict::Verdict& verdict);

}  // namespace coalcheck::output
