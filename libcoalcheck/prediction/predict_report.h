// SPDX-License-Identifier: Apache-2.0
//
// From compiled code to a report of what its accesses will cost: the same model as a run's.
#pragma once

#include <absl/status/statusor.h>

#include <map>
#include <string>
#include <utility>

#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/prediction/predict_function.h"

namespace coalcheck::prediction {

// Cubins that files hold, by their identity.
class HeldCubins : public findings::CubinStore {
 public:
  absl::StatusOr<std::string> Load(CubinId id) override;
  void Add(CubinId id, std::string bytes) { cubins_.try_emplace(id, std::move(bytes)); }
  const std::map<CubinId, std::string>& all() const { return cubins_; }

 private:
  std::map<CubinId, std::string> cubins_;
};

// `launches`: what is known of them. Fills Report::prediction, and each access's `predicted`.
findings::Report PredictReport(HeldCubins& cubins, const KnownLaunches& launches,
                               const findings::SourceView& source, const findings::Policy& policy);

}  // namespace coalcheck::prediction
