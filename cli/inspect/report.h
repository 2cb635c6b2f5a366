// SPDX-License-Identifier: Apache-2.0
//
// Writes what `coalcheck inspect` finds in each image of a file, as text or as JSON, image by
// image: a large program need not be held in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/machine_code/waiting_signs.h"

namespace coalcheck::cli {

// An access, with its line and its address in words.
struct InspectedAccess {
  const cubin::Function& function;
  const cubin::GlobalAccess& access;
  std::span<const cubin::SourceFrame> frames;  // without the impossible ones, innermost first
  const cubin::SourceFrame* shown;             // null without line information
  address::LanePart lanes;                     // how the lanes' addresses differ
  std::vector<PcOffset> loads;                 // that make them differ
  std::string address_words;                   // empty when nothing is known
  std::string lanes_words;                     // empty when that is not known
};

// A copy by the tensor memory accelerator.
struct InspectedBulkCopy {
  const cubin::Function& function;
  PcOffset pc;
  cubin::AccessKind kind;
  const cubin::SourceFrame* shown;  // as of an access
};

// Receives images one after the other; within one, its functions and their accesses.
class InspectWriter {
 public:
  virtual ~InspectWriter() = default;
  virtual void BeginImage(std::uint32_t sm) = 0;
  // `signs`: signs in a kernel that it may wait for other work.
  virtual void BeginFunction(const cubin::Function& function, machine_code::WaitingSigns signs) = 0;
  virtual void Access(const InspectedAccess& access) = 0;
  // Called after the accesses of the function.
  virtual void BulkCopy(const InspectedBulkCopy& copy) = 0;
  virtual void EndImage() = 0;
  // An image that could not be read, and why; `sm` 0 when unknown.
  virtual void Skipped(std::uint32_t sm, std::string_view reason) = 0;
  virtual void End() = 0;
};

// For people. Paths under `source_root` are shown relative to it.
std::unique_ptr<InspectWriter> MakeTextInspectWriter(std::ostream& out, std::string source_root);
// For programs: one object, docs/inspect.md says what is in it.
std::unique_ptr<InspectWriter> MakeJsonInspectWriter(std::ostream& out, std::string_view file);

}  // namespace coalcheck::cli
