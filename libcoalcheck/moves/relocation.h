// SPDX-License-Identifier: Apache-2.0
//
// Requests for arrays that lie elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "libcoalcheck/moves/fields.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::moves {

// An array, and who asks for it.
struct Array {
  std::vector<std::uint32_t> parameters;  // that point to it
  std::uint64_t begin = 0;
  std::set<std::uint32_t> accesses;  // instructions whose addresses are known
  std::set<std::uint32_t> by_data;   // and those of which data decide them
  std::set<std::uint32_t> together;  // of these: data decide for all lanes of a warp together
};

// Where what lay at an address, of so many bytes, lies then; empty where that is not known.
using Layout =
    std::function<std::optional<address::Value>(address::Value, std::uint32_t, address::Unknowns&)>;

// Changes the addresses of accesses, each by the layout of its array. What data decide stays where
// its layout does not know it.
class Relocation : public address::RequestFilter {
 public:
  explicit Relocation(const ptx::Function& function) : function_(function) {}
  void Lay(const Array& array, Layout layout);
  void Take(const address::Request& request) override;
  // Whether every access that is known lay where a layout takes it to.
  bool fits() const { return fits_; }

 private:
  const ptx::Function& function_;
  std::vector<Layout> layouts_;
  std::map<std::uint32_t, std::size_t> of_;  // in `layouts_`, by instruction
  bool fits_ = true;
};

// Shows the requests of arrays to who looks for fields in them.
class Probe : public address::RequestFilter {
 public:
  explicit Probe(const ptx::Function& function) : function_(function) {}
  void Show(const Array& array, Fields& fields);
  void Take(const address::Request& request) override;

 private:
  const ptx::Function& function_;
  std::map<std::uint32_t, Fields*> fields_;
};

}  // namespace coalcheck::moves
