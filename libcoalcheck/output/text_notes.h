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

}  // namespace coalcheck::output
