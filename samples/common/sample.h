// SPDX-License-Identifier: Apache-2.0
//
// What a sample says of itself, and the main function that all samples share.
#pragma once

#include <string>
#include <vector>

#include "samples/common/arguments.h"
#include "samples/common/check.h"
#include "samples/common/device_array.h"
#include "samples/common/reference.h"
#include "samples/common/timing.h"

namespace samples {

struct Sample {
  const char* name;
  const char* summary;  // one line for --help
  const char* source;   // __FILE__
  Size size;
  // Runs the kernels on the GPU, verifies what they computed, prints the bandwidth.
  void (*run)(const Arguments&);
  // Describes the accesses of one launch of each kernel.
  void (*count)(const Arguments&, Reference&);
  std::vector<std::string> kernels = {};  // more than one: `--kernel` picks
  bool has_csv = false;
};

inline int Main(int argc, char** argv, const Sample& sample) {
  const ArgumentParser parser(sample.name, sample.summary, sample.size, sample.kernels,
                              sample.has_csv);
  const Arguments arguments = parser.Parse(argc, argv);
  if (arguments.count) {
    Reference reference(sample.source);
    sample.count(arguments, reference);
    reference.PrintJson();
    return kOk;
  }
  RequireGpu(sample.name);
  sample.run(arguments);
  return kOk;
}

}  // namespace samples
