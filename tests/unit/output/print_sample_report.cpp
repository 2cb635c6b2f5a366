// SPDX-License-Identifier: Apache-2.0
//
// Prints a report with every kind of row as JSON, for the check against the schema.
#include <iostream>

#include "libcoalcheck/output/json_writer.h"
#include "tests/unit/output/sample_report.h"

int main() {
  const coalcheck::findings::Report report = coalcheck::output::MakeFullReport(/*grouped=*/true);
  std::cout << coalcheck::output::JsonWriter().Write(report, coalcheck::verdict::Judge(report));
}
