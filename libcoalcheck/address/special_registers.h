// SPDX-License-Identifier: Apache-2.0
//
// What special registers differ by.
#pragma once

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::address {

// Whether threads of one block read different values.
inline bool IsOfThread(ptx::Special special) {
  switch (special) {
    case ptx::Special::kTidX:
    case ptx::Special::kTidY:
    case ptx::Special::kTidZ:
    case ptx::Special::kLaneid:
    case ptx::Special::kLanemaskEq:
    case ptx::Special::kLanemaskLe:
    case ptx::Special::kLanemaskLt:
    case ptx::Special::kLanemaskGe:
    case ptx::Special::kLanemaskGt:
      return true;
    default:
      return false;
  }
}

// Whether it is the number of the block.
inline bool IsOfBlock(ptx::Special special) {
  return special == ptx::Special::kCtaidX || special == ptx::Special::kCtaidY ||
         special == ptx::Special::kCtaidZ;
}

}  // namespace coalcheck::address
