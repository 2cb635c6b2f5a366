// SPDX-License-Identifier: Apache-2.0
//
// What L1 and L2 take, in cycles of a multiprocessor where all ask at once: measured on GPUs of
// compute capability 9.0 (docs/measurements/memory-paths.csv). L1 looks one line up in a cycle.
#pragma once

namespace coalcheck {

inline constexpr double kSectorsPerL1Cycle = 4;  // that it hands out
inline constexpr double kL2PerLoadedSector = 0.92;
inline constexpr double kL2PerLoadedLine = 1.65;  // at least, however few its sectors
inline constexpr double kL2PerStoredSector = 1.8;
inline constexpr double kL2PerLineStoredInPart = 1.66;  // and that much more

}  // namespace coalcheck
