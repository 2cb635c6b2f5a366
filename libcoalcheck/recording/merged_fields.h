// SPDX-License-Identifier: Apache-2.0
//
// A parsed line as the record of a merged recording that it is.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "libcoalcheck/recording/merged_records.h"

namespace coalcheck::recording {

// So many ranks of a step are named.
inline constexpr std::size_t kNamedRanks = 4;

// As ToRecord() of record_fields.h, for the kinds that only merged recordings have.
std::optional<MergedRecord> ToMergedRecord(const rapidjson::Value& object, std::string& problem);

}  // namespace coalcheck::recording
