// SPDX-License-Identifier: Apache-2.0
//
// Holds an access's numbers against thresholds.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/policy/rules.h"

namespace coalcheck::policy {

struct Ruling {
  bool is_finding = false;
  std::string because;  // a sentence that names the threshold and where it was set
};
Ruling RuleOn(const findings::Report& report, const findings::Access& access,
              const Thresholds& thresholds);

}  // namespace coalcheck::policy
