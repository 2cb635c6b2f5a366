// SPDX-License-Identifier: Apache-2.0
//
// Finds the cubins inside a program, object file or fat binary.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace coalcheck::cubin {

// One image of a program: a cubin, or the reason why it cannot be read.
struct ProgramImage {
  std::uint32_t sm = 0;        // as its fat binary says; 0 when it does not
  std::string cubin;           // uncompressed; empty when skipped
  std::string skipped_reason;  // "PTX only: …"; empty when there is a cubin
  bool is_lost = false;        // machine code may be in it, and nobody knows what
};

struct UnpackLimits {
  std::uint64_t image_size = 128U << 20U;  // bytes of one image, uncompressed
  // Of all compressed ones together: some, and so many for each byte of the file.
  std::uint64_t least_in_all = 64U << 20U;
  std::uint64_t of_byte = 3;
};

// Calls `visit` for every image in `bytes`, in the order of the file, one at a time so that only
// one uncompressed image need be held. `bytes` may be a cubin, a fat binary, a host object, library
// or executable that holds fat binaries, or a static library of such. Errors: kInvalidArgument for
// anything else, saying what it is; kNotFound when it is a host file without any device code.
absl::Status VisitProgramImages(std::string_view bytes,
                                const std::function<void(ProgramImage)>& visit,
                                const UnpackLimits& limits = {});

// Whether they begin as one of those.
bool MayHoldImages(std::string_view bytes);

// What `bytes` seem to be, for messages: "text", "a shell script", "an ELF file for machine 62".
std::string DescribeContent(std::string_view bytes);

}  // namespace coalcheck::cubin
