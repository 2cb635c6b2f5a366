// SPDX-License-Identifier: Apache-2.0
//
// Which shared objects have called NVTX already. Each has a copy of NVTX in it, which looks for its
// listener at its first call and never again.
#pragma once

#include <string>
#include <vector>

namespace coalcheck::nvtx {

// The files of those that can be told: NVTX keeps its state in a hidden variable, whose name is in
// the object's symbol table unless that was stripped. Reads the symbol tables of all objects of the
// process but those with more than 64 MiB of names, which takes milliseconds for large ones.
std::vector<std::string> CopiesInUse();

}  // namespace coalcheck::nvtx
