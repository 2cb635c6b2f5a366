// SPDX-License-Identifier: Apache-2.0
//
// One row for each special register (PTX ISA, chapter 10).
#include "libcoalcheck/ptx/special.h"

#include <algorithm>

namespace coalcheck::ptx {
namespace {

struct Row {
  Special special;
  std::string_view ptx;
  std::string_view cpp;
};

constexpr Row kRows[] = {
    {Special::kTidX, "%tid.x", "threadIdx.x"},
    {Special::kTidY, "%tid.y", "threadIdx.y"},
    {Special::kTidZ, "%tid.z", "threadIdx.z"},
    {Special::kNtidX, "%ntid.x", "blockDim.x"},
    {Special::kNtidY, "%ntid.y", "blockDim.y"},
    {Special::kNtidZ, "%ntid.z", "blockDim.z"},
    {Special::kCtaidX, "%ctaid.x", "blockIdx.x"},
    {Special::kCtaidY, "%ctaid.y", "blockIdx.y"},
    {Special::kCtaidZ, "%ctaid.z", "blockIdx.z"},
    {Special::kNctaidX, "%nctaid.x", "gridDim.x"},
    {Special::kNctaidY, "%nctaid.y", "gridDim.y"},
    {Special::kNctaidZ, "%nctaid.z", "gridDim.z"},
    {Special::kLaneid, "%laneid", "lane"},
    {Special::kWarpid, "%warpid", "%warpid"},
    {Special::kNwarpid, "%nwarpid", "%nwarpid"},
    {Special::kLanemaskEq, "%lanemask_eq", "%lanemask_eq"},
    {Special::kLanemaskLe, "%lanemask_le", "%lanemask_le"},
    {Special::kLanemaskLt, "%lanemask_lt", "%lanemask_lt"},
    {Special::kLanemaskGe, "%lanemask_ge", "%lanemask_ge"},
    {Special::kLanemaskGt, "%lanemask_gt", "%lanemask_gt"},
    {Special::kClusterCtaidX, "%cluster_ctaid.x", "%cluster_ctaid.x"},
    {Special::kClusterCtaidY, "%cluster_ctaid.y", "%cluster_ctaid.y"},
    {Special::kClusterCtaidZ, "%cluster_ctaid.z", "%cluster_ctaid.z"},
    {Special::kClusterNctaidX, "%cluster_nctaid.x", "%cluster_nctaid.x"},
    {Special::kClusterNctaidY, "%cluster_nctaid.y", "%cluster_nctaid.y"},
    {Special::kClusterNctaidZ, "%cluster_nctaid.z", "%cluster_nctaid.z"},
    {Special::kClusteridX, "%clusterid.x", "%clusterid.x"},
    {Special::kClusteridY, "%clusterid.y", "%clusterid.y"},
    {Special::kClusteridZ, "%clusterid.z", "%clusterid.z"},
    {Special::kNclusteridX, "%nclusterid.x", "%nclusterid.x"},
    {Special::kNclusteridY, "%nclusterid.y", "%nclusterid.y"},
    {Special::kNclusteridZ, "%nclusterid.z", "%nclusterid.z"},
    {Special::kClusterCtarank, "%cluster_ctarank", "%cluster_ctarank"},
    {Special::kClusterNctarank, "%cluster_nctarank", "%cluster_nctarank"},
    {Special::kDynamicSharedSize, "%dynamic_smem_size", "dynamic shared memory"},
    {Special::kTotalSharedSize, "%total_smem_size", "shared memory"},
    {Special::kWarpSize, "WARP_SZ", "32"},
};

constexpr std::string_view kOthers[] = {
    "%smid",           "%nsmid",
    "%gridid",         "%clock",
    "%clock_hi",       "%clock64",
    "%globaltimer",    "%globaltimer_lo",
    "%globaltimer_hi", "%is_explicit_cluster",
    "%aggr_smem_size", "%current_graph_exec",
};

}  // namespace

std::optional<Special> SpecialFromString(std::string_view name) {
  const auto* row = std::ranges::find(kRows, name, &Row::ptx);
  if (row != std::end(kRows)) return row->special;
  const bool is_other = std::ranges::find(kOthers, name) != std::end(kOthers) ||
                        name.starts_with("%pm") || name.starts_with("%envreg") ||
                        name.starts_with("%reserved_smem");
  return is_other ? std::optional(Special::kOther) : std::nullopt;
}

std::string_view NameOf(Special special) {
  const auto* row = std::ranges::find(kRows, special, &Row::special);
  return row == std::end(kRows) ? "a special register" : row->cpp;
}

}  // namespace coalcheck::ptx
