// SPDX-License-Identifier: Apache-2.0
//
// Loads, checks and parses one cubin after the other.
#include "libcoalcheck/findings/sources/stored_code.h"

#include <algorithm>
#include <utility>

namespace coalcheck::findings {

void StoredCode::Refuse(UnattributedCause cause, std::string_view detail) {
  refusal_ = {nullptr, cause, std::string(detail)};
}

void StoredCode::Load(CubinId id) {
  loaded_ = id;
  cubin_ = nullptr;
  explanations_.reset();
  modules_.Turn(nullptr);
  Refuse(UnattributedCause::kCubinMissing, "");
  for (CubinStore* store : stores_) {
    if (const cubin::Cubin* parsed = store->Parsed(id)) return Use(*parsed);
    absl::StatusOr<std::string> bytes = store->Load(id);
    if (!bytes.ok()) {
      if (!absl::IsNotFound(bytes.status())) {
        Refuse(UnattributedCause::kCubinUnreadable, std::string(bytes.status().message()));
      }
    } else if (HashCubin(*bytes) != id) {
      Refuse(UnattributedCause::kCubinAltered, "its content is of " + ToHex(HashCubin(*bytes)));
    } else {
      absl::StatusOr<cubin::Cubin> parsed = cubin::Cubin::ParseCode(*std::move(bytes));
      if (parsed.ok()) return Use(own_.emplace(*std::move(parsed)));
      return Refuse(UnattributedCause::kCubinUnreadable, std::string(parsed.status().message()));
    }
  }
}

void StoredCode::Use(const cubin::Cubin& cubin) {
  cubin_ = &cubin;
  modules_.Turn(&cubin);
}

std::string_view StoredCode::Bytes(CubinId cubin) {
  if (loaded_ != cubin) Load(cubin);
  return cubin_ != nullptr ? cubin_->bytes() : std::string_view();
}

FunctionLookup StoredCode::Find(CubinId cubin, std::string_view function) {
  if (loaded_ != cubin) Load(cubin);
  if (cubin_ == nullptr) return refusal_;
  const cubin::Function* found = cubin_->FindFunction(function);
  if (found == nullptr) return {nullptr, UnattributedCause::kFunctionNotInCubin, ""};
  return {found, {}, ""};
}

std::span<const cubin::Function> StoredCode::FunctionsOf(CubinId cubin) {
  if (loaded_ != cubin) Load(cubin);
  return cubin_ != nullptr ? cubin_->functions() : std::span<const cubin::Function>();
}

const Explanations* StoredCode::Explain(CubinId cubin, std::string_view function,
                                        const FunctionAggregate& counted) {
  const cubin::Function* found = Find(cubin, function).function;
  if (found == nullptr || formula_work_left_ == 0) return nullptr;
  const Explanations& explanations = explanations_.emplace(*found, modules_, counted, steps_);
  formula_work_left_ -= std::min(explanations.work(), formula_work_left_);
  return &explanations;
}

}  // namespace coalcheck::findings
