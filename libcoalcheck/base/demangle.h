// SPDX-License-Identifier: Apache-2.0
//
// Readable names for the functions of a cubin.
#pragma once

#include <string>
#include <string_view>

namespace coalcheck {

// The name a programmer would recognise: `transpose(float*, int)` for `_Z9transposePfi`. ptxas
// joins a kernel and a function inside it with `$`; each part is made readable by itself. What is
// no mangled name comes back as it is. Names beyond 1024 characters are
// shortened to their qualified name, `cub::DeviceScanKernel<…>`; shorter ones that would take too
// much work (see ReadItaniumName) come back as they are. Result and work are bounded.
std::string Demangle(std::string_view mangled);

}  // namespace coalcheck
