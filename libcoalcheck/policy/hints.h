// SPDX-License-Identifier: Apache-2.0
//
// What a selector that fits nothing may have meant.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/policy/rules.h"

namespace coalcheck::policy {

// "; no kernel is 'copi', seen were copy, scale" for the first kind of selector of which no value
// fits anything that was counted, with the nearest names; empty where each kind fits something.
std::string HintFor(const Selector& selector, const findings::Report& report);

}  // namespace coalcheck::policy
