// SPDX-License-Identifier: Apache-2.0
//
// The cubins of several recordings, of which those with the same bytes are parsed once.
#pragma once

#include <absl/status/statusor.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/sources/code.h"

namespace coalcheck::findings {

class KeptCubins {
 public:
  // Null: its content is not what `id` says, it is no cubin, or enough are kept.
  const cubin::Cubin* Parsed(CubinId id, std::string bytes);

 private:
  std::map<CubinId, std::vector<std::unique_ptr<const cubin::Cubin>>> cubins_;
  std::size_t held_ = 0;  // bytes
};

// Of one recording. What another one stores under the same id is not taken for its own.
class OwnCubins : public CubinStore {
 public:
  OwnCubins(CubinStore& own, KeptCubins& kept) : own_(own), kept_(kept) {}

  absl::StatusOr<std::string> Load(CubinId id) override { return own_.Load(id); }
  const cubin::Cubin* Parsed(CubinId id) const override;

 private:
  CubinStore& own_;
  KeptCubins& kept_;
};

}  // namespace coalcheck::findings
