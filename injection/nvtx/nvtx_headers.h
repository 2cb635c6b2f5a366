// SPDX-License-Identifier: Apache-2.0
//
// NVTX's types as a tool needs them, without the copy of NVTX that its headers make for a program.
#pragma once

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#undef NVTX_NO_IMPL
