// SPDX-License-Identifier: Apache-2.0
//
// What the text report says about what was not looked at.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Lines that begin with "coalcheck: ". `hidden` findings were kept back by the print limit.
std::string NotesText(const findings::Report& report, std::size_t hidden);

// Of these, what is missing of the recordings and how their programs ended: what a verdict rests
// on.
std::string MissingText(const findings::Report& report);

}  // namespace coalcheck::output
