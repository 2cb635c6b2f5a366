// SPDX-License-Identifier: Apache-2.0
//
// Numbers, names and reasons as people read them: the one place that formats them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::words {

// "524 288", the groups apart by a narrow no-break space.
std::string Grouped(std::uint64_t number);
// "1 launch", "2 launches", "524 288 launches".
std::string Count(std::uint64_t number, std::string_view one, std::string_view many);
// Three digits with a prefix from a million on: "14.7 M", "9 999 999" stays "10.0 M".
std::string Short(std::uint64_t number);
// A share from 0 to 1: "87.5 %", "80 %". What is not quite all or not quite nothing does not look
// like it: "> 99.9 %", "< 0.1 %".
std::string Percent(double share);
// An average: "32", "4.25", "31.999". Only an integer looks like one, but for "≈ 32".
std::string Average(double value);

// `text` fit for a terminal: valid UTF-8 without characters that nobody sees (character.h), which
// become '?'. Tabs become spaces.
std::string Printable(std::string_view text);
// At most `most` bytes of valid UTF-8, whole characters, with " …" where something was cut.
std::string Cut(std::string_view text, std::size_t most);
// A mangled name made readable and printable.
std::string PrintableName(std::string_view mangled);
// The same, short enough to be read: where it is longer than two lines, long template arguments and
// parameters are left out, "reduce<…>(…)".
std::string ShortName(std::string_view mangled);

// Why launches were skipped, in words: "never_idle" is "in a context that was never idle".
std::string SkipReason(std::string_view reason);
// The skipped launches of all kernels by reason, most first.
std::vector<recording::Skipped> SkippedInAll(const findings::Report& report);

// `file` relative to the report's source root, if it is under it.
std::string PathShown(const findings::Report& report, std::string_view file);

}  // namespace coalcheck::words
