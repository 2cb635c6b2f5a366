// SPDX-License-Identifier: Apache-2.0
//
// PTX text as a file, as nvcc -ptx, NVRTC and Triton write it: its functions with their accesses,
// as a cubin has them.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::cubin {

// Whether the bytes are meant as PTX: text that names its version and target.
bool IsPtxText(std::string_view bytes);

struct PtxFile {
  std::uint32_t sm = 0;  // that it is for
  std::vector<Function> functions;
};

// `text` and `names` have to outlive the functions. The pc of an access is 16 times the number of
// its instruction. Errors: kInvalidArgument when the text is cut off or holds no function.
absl::StatusOr<PtxFile> ReadPtxFile(std::string_view text, std::deque<std::string>& names);

}  // namespace coalcheck::cubin
