// SPDX-License-Identifier: Apache-2.0
//
// Reports that are hard to write: of hostile names, of very many findings, of nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::output {

// What ends or begins a part of some form, and what no form may hold.
inline constexpr std::string_view kHostile =
    "a<script>alert(1)</"
    "script>]]>\n::error::x\r%0A|`b`\"'&;--><!--\x01\x1b[31m\xff\xc3\x7f\\$(x)\u0085"
    "\uFFFE\u202E";

// Two findings, one of which has a line, where every name is `foreign`.
findings::Report MakeHostileReport(findings::FakeSources& sources,
                                   std::string_view foreign = kHostile);

// `findings` findings in `findings` / 100 files, each with an inline chain.
findings::Report MakeManyFindings(std::uint32_t findings, findings::FakeSources& sources);

// Three loads and two stores of the fields of one structure, each of which a fifth of the kernel's
// time waits for and could save 4 to 10 %.
findings::Report MakeFieldsReport(findings::FakeSources& sources);

// Two findings, one excused by a comment beside its line, the other by the project's file.
findings::Report MakeSuppressedReport(findings::FakeSources& sources);

findings::Report MakeEmptyReport(findings::FakeSources& sources);

}  // namespace coalcheck::output
