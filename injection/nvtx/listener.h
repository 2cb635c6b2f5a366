// SPDX-License-Identifier: Apache-2.0
//
// Hears the NVTX calls of the process. Every shared object that uses NVTX has a copy of its own,
// which looks for a tool at its first call and finds this library by NVTX_INJECTION64_PATH.
#pragma once

#include "injection/agent/ranges/range_book.h"
#include "injection/nvtx/nvtx_headers.h"

namespace coalcheck::nvtx {

// Has the copy of NVTX whose tables `get_table` gives report its ranges to `book`, which has to
// live as long as the process; every call is with the same one. False: this copy cannot be heard.
bool Attach(NvtxGetExportTableFunc_t get_table, agent::RangeBook& book) noexcept;

// The same for NVTX's extensions, which have tables of their own. The payload extension's ranges
// are followed, and so are its pops of ordinary ones. A range that has nothing but payloads is
// nameless: its name would lie in a layout that only the program describes.
bool AttachExtension(const nvtxExtModuleInfo_t* module, agent::RangeBook& book) noexcept;

}  // namespace coalcheck::nvtx
