// SPDX-License-Identifier: Apache-2.0
//
// A parsed line as the record it is.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// The record in `object`. Empty when its kind is not known, or when a field is missing or wrong;
// `problem` then names the field, and is empty for an unknown kind. `columns` is the number of
// counters that the header names, which every row must have.
std::optional<Record> ToRecord(const rapidjson::Value& object, std::size_t columns,
                               std::string& problem);

}  // namespace coalcheck::recording
