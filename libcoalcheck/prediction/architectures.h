// SPDX-License-Identifier: Apache-2.0
//
// Code that is there for several architectures: where all say the same of an access, one says it.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/held_code.h"
#include "libcoalcheck/prediction/predict_code.h"
#include "libcoalcheck/prediction/row_verdict.h"

namespace coalcheck::prediction {

// For whom an access in the code of one architecture speaks.
enum class Speaks : std::uint8_t {
  kForAll,     // every architecture that the code is there for
  kForItself,  // another one is judged otherwise
  kNot,        // a later one says the same
};

class Architectures {
 public:
  // What it reads has to outlive it.
  Architectures(const HeldCode& code, const CodePrediction& prediction);

  Speaks Of(std::uint32_t sm, std::string_view function, const cubin::GlobalAccess& access) const;

 private:
  struct Agreement {
    bool is_one = true;
    std::uint32_t latest = 0;  // architecture
  };
  std::map<SourceRow, Agreement> rows_;  // empty where there is one architecture alone
};

}  // namespace coalcheck::prediction
