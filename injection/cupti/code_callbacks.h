// SPDX-License-Identifier: Apache-2.0
//
// Driver calls that may load or unload code: directly, by making or ending a context, or because
// lazy loading brings a kernel's code when somebody first asks about it.
#pragma once

#include <cupti.h>

#include <span>

namespace coalcheck::cupti {

std::span<const CUpti_CallbackId> CodeCallbacks();
bool MayChangeCode(CUpti_CallbackId id);

}  // namespace coalcheck::cupti
