// SPDX-License-Identifier: Apache-2.0
//
// What a selector that fits nothing may have meant.
#pragma once

#include <memory>
#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/policy/rules.h"
#include "libcoalcheck/policy/work.h"

namespace coalcheck::policy {

// Gathers the names of a report when it is first asked, and once.
class Hints {
 public:
  explicit Hints(const findings::Report& report);
  ~Hints();

  // "; no kernel is 'copi', seen were copy, scale" for the first kind of selector of which no value
  // fits anything that was judged, with the nearest names; empty where each kind fits something.
  std::string For(const Selector& selector);

 private:
  struct Seen;

  const findings::Report& report_;
  std::unique_ptr<const Seen> seen_;
  std::size_t given_ = 0;
  Work work_{kMostWork / 4};  // no hint is worth more
};

}  // namespace coalcheck::policy
