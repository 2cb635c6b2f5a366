// SPDX-License-Identifier: Apache-2.0
//
// Puts the agent together inside the host process.
#pragma once

namespace coalcheck {

// Reads COALCHECK_OPTIONS, opens libcupti, subscribes, and arranges for the report at the end. On
// any trouble it says why in one line and leaves the process alone. Later calls do nothing.
void StartAgent() noexcept;

// What programs ask for through include/coalcheck.h, at any time.
void SwitchChecking(bool on) noexcept;
void FlushRecording() noexcept;
// The folder of this process's recording; null before there is one, and in a forked process.
const char* RecordingFolder() noexcept;

// Has dlsym(RTLD_DEFAULT, …) find what this library exports.
void MakeExportsGlobal() noexcept;

}  // namespace coalcheck
