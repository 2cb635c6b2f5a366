// SPDX-License-Identifier: Apache-2.0
//
// The rules of a SARIF log: one for each kind of access.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::output {

nlohmann::ordered_json SarifRules();
// The position of the kind's rule in it.
std::size_t SarifRuleIndex(cubin::AccessKind kind);

}  // namespace coalcheck::output
