// SPDX-License-Identifier: Apache-2.0
//
// A GoogleTest program whose tests launch kernels, with the listener that coalcheck_gtest.h offers.
#include <gtest/gtest.h>

#include "host.h"
#include "include/coalcheck_gtest.h"

namespace {

float FirstOf(const float* device) {
  float value = 0;
  hosts::Check(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return value;
}

TEST(Adding, OneAddsOneEachTime) {
  hosts::Arrays a;
  a.Add<1>(3);
  hosts::Check(cudaStreamSynchronize(a.stream), "cudaStreamSynchronize");
  EXPECT_EQ(FirstOf(a.out), 3.0F);
}

TEST(Adding, TwoAddsTwoEachTime) {
  hosts::Arrays a;
  a.Add<2>(4);
  hosts::Check(cudaStreamSynchronize(a.stream), "cudaStreamSynchronize");
  EXPECT_EQ(FirstOf(a.out), 8.0F);
}

class AddingTimes : public testing::TestWithParam<int> {};

TEST_P(AddingTimes, AddsOneSoManyTimes) {
  hosts::Arrays a;
  a.Add<1>(GetParam());
  hosts::Check(cudaStreamSynchronize(a.stream), "cudaStreamSynchronize");
  EXPECT_EQ(FirstOf(a.out), static_cast<float>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Few, AddingTimes, testing::Values(5, 6));

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::FLAGS_gtest_print_time = false;  // two runs print the same
  hosts::NeedDevices(1);
  coalcheck::ListenToTests();
  return RUN_ALL_TESTS();
}
