// SPDX-License-Identifier: Apache-2.0
//
// The words for the kinds of access, as they stand in reports and in JSON.
#include "libcoalcheck/cubin/access_kind.h"

namespace coalcheck::cubin {

std::string_view ToString(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return "load";
    case AccessKind::kStore:
      return "store";
    case AccessKind::kAtomic:
      return "atomic";
    case AccessKind::kReduction:
      return "reduction";
    case AccessKind::kAsyncCopy:
      return "async copy";
  }
  return "unknown";
}

std::string_view Plural(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return "loads";
    case AccessKind::kStore:
      return "stores";
    case AccessKind::kAtomic:
      return "atomics";
    case AccessKind::kReduction:
      return "reductions";
    case AccessKind::kAsyncCopy:
      return "async copies";
  }
  return "accesses";
}

}  // namespace coalcheck::cubin
