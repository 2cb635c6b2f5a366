// SPDX-License-Identifier: Apache-2.0
//
// The diagnosis as one versioned JSON object.
#include <nlohmann/json.hpp>

#include "libcoalcheck/doctor/output.h"

namespace coalcheck::doctor {
namespace {

using Json = nlohmann::ordered_json;

Json SurroundingsJson(const Surroundings& surroundings) {
  return {{"container", surroundings.container},
          {"github_actions", surroundings.github_actions},
          {"gitlab", surroundings.gitlab},
          {"wsl", surroundings.wsl}};
}

Json CheckJson(const Check& check) {
  return {{"id", check.id},
          {"title", check.title},
          {"state", ToString(check.state)},
          {"message", check.message},
          {"remedies", check.remedies}};
}

Json EngineJson(const Engine& engine) {
  return {{"engine", engine.engine},     {"gpu", engine.gpu},
          {"gpu_name", engine.gpu_name}, {"state", ToString(engine.state)},
          {"message", engine.message},   {"remedies", engine.remedies}};
}

}  // namespace

std::string ToJson(const Diagnosis& diagnosis, int exit_code) {
  Json json = {{"format", "coalcheck-doctor"},
               {"major", 1},
               {"minor", 0},
               {"tool_version", COALCHECK_VERSION},
               {"works", diagnosis.works},
               {"exit_code", exit_code},
               {"summary", diagnosis.summary},
               {"surroundings", SurroundingsJson(diagnosis.surroundings)},
               {"checks", Json::array()},
               {"engines", Json::array()}};
  for (const Check& check : diagnosis.checks) json["checks"].push_back(CheckJson(check));
  for (const Engine& engine : diagnosis.engines) json["engines"].push_back(EngineJson(engine));
  // Names of devices and words of other programs may be anything; JSON is UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace coalcheck::doctor
