// SPDX-License-Identifier: Apache-2.0
//
// The PTX of the two kernels, and their addresses put through the sector model.
#include "libcoalcheck/doctor/kernels.h"

#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::doctor {
namespace {

// One warp's access, from an address that is aligned like every allocation.
sectors::RequestCounts OfStride(std::uint32_t stride) {
  sectors::WarpRequest request;
  request.active = 0xffffffffU;
  request.width = sizeof(float);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    request.address[lane] = std::uint64_t{lane} * stride * sizeof(float);
  }
  return sectors::Count(request);
}

SelfTestCounts Expected(std::string_view kernel, bool is_store, std::uint32_t stride) {
  constexpr std::uint64_t kWarps = kThreads / kWarpSize;
  const sectors::RequestCounts one = OfStride(stride);
  return {std::string(kernel),
          is_store,
          kWarps,
          kWarps * one.sectors.count(),
          kWarps * one.ideal_sectors.count(),
          true};
}

}  // namespace

// Kept in the form that a compiler writes, in the oldest PTX that has sm_75.
const char* const kKernelsPtx = R"ptx(.version 6.3
.target sm_75
.address_size 64

.visible .entry coalcheck_doctor_coalesced(
  .param .u64 coalcheck_doctor_coalesced_param_0,
  .param .u64 coalcheck_doctor_coalesced_param_1
)
{
  .reg .f32 %f<2>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  .loc 1 1 0
  ld.param.u64 %rd1, [coalcheck_doctor_coalesced_param_0];
  ld.param.u64 %rd2, [coalcheck_doctor_coalesced_param_1];
  cvta.to.global.u64 %rd3, %rd2;
  cvta.to.global.u64 %rd4, %rd1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  .loc 1 2 3
  mul.wide.u32 %rd5, %r4, 4;
  add.s64 %rd6, %rd4, %rd5;
  ld.global.f32 %f1, [%rd6];
  add.s64 %rd7, %rd3, %rd5;
  st.global.f32 [%rd7], %f1;
  ret;
}

.visible .entry coalcheck_doctor_strided(
  .param .u64 coalcheck_doctor_strided_param_0,
  .param .u64 coalcheck_doctor_strided_param_1
)
{
  .reg .f32 %f<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<9>;
  .loc 1 4 0
  ld.param.u64 %rd1, [coalcheck_doctor_strided_param_0];
  ld.param.u64 %rd2, [coalcheck_doctor_strided_param_1];
  cvta.to.global.u64 %rd3, %rd2;
  cvta.to.global.u64 %rd4, %rd1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  .loc 1 5 3
  shl.b32 %r5, %r4, 5;
  mul.wide.u32 %rd5, %r5, 4;
  add.s64 %rd6, %rd4, %rd5;
  ld.global.f32 %f1, [%rd6];
  mul.wide.u32 %rd7, %r4, 4;
  add.s64 %rd8, %rd3, %rd7;
  st.global.f32 [%rd8], %f1;
  ret;
}

.file 1 "coalcheck_doctor.cu"
)ptx";

std::vector<SelfTestCounts> ExpectedCounts() {
  return {Expected(kCoalescedKernel, false, 1), Expected(kCoalescedKernel, true, 1),
          Expected(kStridedKernel, false, kStride), Expected(kStridedKernel, true, 1)};
}

}  // namespace coalcheck::doctor
