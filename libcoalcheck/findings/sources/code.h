// SPDX-License-Identifier: Apache-2.0
//
// Where attribution finds the instructions that were counted.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/explaining/explanations.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sums/aggregate.h"

namespace coalcheck::findings {

// A function, or why there is none.
struct FunctionLookup {
  const cubin::Function* function = nullptr;
  UnattributedCause cause = UnattributedCause::kCubinMissing;  // only without a function
  std::string detail;
};

class Code {
 public:
  virtual ~Code() = default;
  // What it returns lives until the next call.
  virtual FunctionLookup Find(CubinId cubin, std::string_view function) = 0;
  // All of a cubin, until the next call; none where there is no such cubin.
  virtual std::span<const cubin::Function> FunctionsOf(CubinId /*cubin*/) { return {}; }
  // How many counted launches `Explain` will be asked about: they share the work that it may do.
  virtual void Expect(std::uint64_t /*launches*/) {}
  // What the function's PTX says of its addresses, held against what was counted; until the next
  // call. Null unless somebody looked.
  virtual const Explanations* Explain(CubinId /*cubin*/, std::string_view /*function*/,
                                      const FunctionAggregate& /*counted*/) {
    return nullptr;
  }
  // The whole cubin, until the next call; empty where there is none.
  virtual std::string_view Bytes(CubinId /*cubin*/) { return {}; }
};

// A recording's cubins, by whatever means they are kept.
class CubinStore {
 public:
  virtual ~CubinStore() = default;
  // The bytes stored under `id`, believed by nobody. kNotFound when there are none.
  virtual absl::StatusOr<std::string> Load(CubinId id) = 0;
  // The code under `id` where the store has parsed it itself: then it is not loaded. Lives as long
  // as the store.
  virtual const cubin::Cubin* Parsed(CubinId /*id*/) const { return nullptr; }
};

}  // namespace coalcheck::findings
