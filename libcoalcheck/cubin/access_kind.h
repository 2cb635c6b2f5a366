// SPDX-License-Identifier: Apache-2.0
//
// What an instruction does to global memory.
#pragma once

#include <string_view>

namespace coalcheck::cubin {

enum class AccessKind { kLoad, kStore, kAtomic, kReduction, kAsyncCopy };
// "load", "store", "atomic", "reduction", "async copy".
std::string_view ToString(AccessKind kind);
// "loads", "async copies".
std::string_view Plural(AccessKind kind);

}  // namespace coalcheck::cubin
