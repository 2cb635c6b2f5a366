// SPDX-License-Identifier: Apache-2.0
//
// The agent's one thread.
#pragma once

namespace coalcheck::agent {

// Starts a small detached thread that calls `tick(opaque)` four times a second, for as long as the
// process lives. It takes no signal of the host's. False when the system would not give one, which
// is no reason to stop. Nothing is left of it in a forked child.
bool StartTicking(void (*tick)(void*), void* opaque) noexcept;

}  // namespace coalcheck::agent
