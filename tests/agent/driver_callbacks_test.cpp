// SPDX-License-Identifier: Apache-2.0
//
// The table of driver functions that are listened to.
#include "injection/cupti/driver_callbacks.h"

#include <gtest/gtest.h>

namespace coalcheck::cupti {
namespace {

TEST(DriverCallbacks, EachFunctionThatIsSubscribedToHasAHandler) {
  EXPECT_GT(DriverCallbacks().size(), 80U);
  for (const DriverCallback& one : DriverCallbacks()) {
    EXPECT_NE(one.handle, nullptr) << one.id;
    EXPECT_EQ(FindDriverCallback(one.id), &one) << one.id;
  }
}

TEST(DriverCallbacks, AnyOtherHasNone) {
  for (const CUpti_CallbackId id :
       {CUpti_CallbackId{CUPTI_DRIVER_TRACE_CBID_INVALID},
        CUpti_CallbackId{CUPTI_DRIVER_TRACE_CBID_cuInit},
        CUpti_CallbackId{CUPTI_DRIVER_TRACE_CBID_SIZE}, CUpti_CallbackId{1'000'000}}) {
    EXPECT_EQ(FindDriverCallback(id), nullptr) << id;
  }
}

TEST(DriverCallbacks, ATwinWithTheThreadsOwnDefaultStreamIsTheSameCallButForThatStream) {
  constexpr CUpti_CallbackId kTwins[][2] = {
      {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz},
      {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz},
      {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
       CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz},
      {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
       CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz},
      {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz},
      {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz},
      {CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
       CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz}};
  for (const auto& [call, twin] : kTwins) {
    ASSERT_NE(FindDriverCallback(call), nullptr);
    ASSERT_NE(FindDriverCallback(twin), nullptr);
    EXPECT_EQ(FindDriverCallback(call)->handle, FindDriverCallback(twin)->handle) << call;
    EXPECT_EQ(FindDriverCallback(call)->default_stream, DefaultStream::kLegacy) << call;
    EXPECT_EQ(FindDriverCallback(twin)->default_stream, DefaultStream::kPerThread) << call;
  }
}

}  // namespace
}  // namespace coalcheck::cupti
