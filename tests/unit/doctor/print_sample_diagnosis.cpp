// SPDX-License-Identifier: Apache-2.0
//
// Prints diagnoses of made-up machines as JSON lists one after another, for the schema's test.
#include <iostream>

#include "libcoalcheck/doctor/output.h"
#include "tests/unit/doctor/machines.h"

int main() {
  using namespace coalcheck::doctor;
  Facts good = GoodMachine();
  Facts bad = good;
  bad.driver.gpus.push_back({1, "V100", 7, 0});
  bad.permissions.admin_only.reset();
  bad.temporary.writable = false;
  bad.clients = {{"cuda-gdb", "cuda-gdb traces this command"}};
  bad.self_tests[0].timed_out = true;
  std::cout << '[' << ToJson(Diagnose(good), 0) << ',' << ToJson(Diagnose(bad), 4) << "]\n";
  return 0;
}
