// SPDX-License-Identifier: Apache-2.0
//
// What several kinds of records say of ranks.
#pragma once

#include <rapidjson/document.h>

#include <string>

#include "libcoalcheck/recording/field_reader.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// What is missing is not known.
JobMembership ReadJobMembership(FieldReader& fields);
// The field `ranks` of `object`, none where it is missing; problems go to `fields`.
RankSet ReadRanks(const rapidjson::Value& object, FieldReader& fields);
Origin ReadOrigin(const rapidjson::Value& object, std::string& problem);

}  // namespace coalcheck::recording
