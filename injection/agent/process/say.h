// SPDX-License-Identifier: Apache-2.0
//
// The agent's only voice: one line on stderr, with one prefix.
#pragma once

#include <string_view>

namespace coalcheck::agent {

// Writes "coalcheck: <sentence>\n" in one piece. Never fails, never buffers, raises no SIGPIPE.
void Say(std::string_view sentence) noexcept;

}  // namespace coalcheck::agent
