// SPDX-License-Identifier: Apache-2.0
//
// What comments in the source tell coalcheck: // coalcheck: ignore[why] until=2027-01-31, which
// suppresses a finding, and // coalcheck: block=32x8 height=4096, a launch to predict for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/policy/date.h"

namespace coalcheck::policy {

struct SourceComment {
  std::string launch;  // "block=32x8 height=4096"; empty: it suppresses
  std::string reason;
  std::optional<Date> until;
  bool alone = false;  // nothing else is on the line: it is for the next line
};

// Empty where `line` has none. Error: what is wrong with one.
Result<std::optional<SourceComment>> ReadSourceComment(std::string_view line);

}  // namespace coalcheck::policy
