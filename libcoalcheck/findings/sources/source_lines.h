// SPDX-License-Identifier: Apache-2.0
//
// From the frames that the compiler left to lines of the source as they are shown, and to what
// stands there of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/attribution.h"
#include "libcoalcheck/findings/sources/signature.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::findings {

// A chain as it should be shown, and which of its frames is the line.
struct Lines {
  std::vector<Frame> chain;
  std::optional<Frame> shown;
};
Lines Resolve(const std::vector<cubin::SourceFrame>& compiled, const SourceView& source);

// A line in the body of a kernel itself; empty where none is known.
std::optional<Frame> LineInBody(const cubin::Function& kernel, const SourceView& source);

// "transpose" of "void ns::transpose<float>(float*)", as its definition calls it.
std::string DefinedName(std::string_view mangled);

// What the source calls a kernel's parameters. Empty where no line of it is known, what stands
// there is another function, or the file is not known to be the one that was compiled: parameters
// of one type may have changed places. Of a file that is not here, recorded text counts. `stamps`:
// of the code that the kernel stands in.
std::vector<std::string> ParameterNamesOf(const cubin::Function& kernel,
                                          const std::vector<ptx::Parameter>& parameters,
                                          const SourceView& source,
                                          const cubin::SourceStamps& stamps);

// What a line of the PTX is called: by its source line, in another file's access with the file.
std::string LineName(const std::optional<Frame>& line, std::string_view file,
                     std::uint32_t ptx_line);

}  // namespace coalcheck::findings
