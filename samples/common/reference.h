// SPDX-License-Identifier: Apache-2.0
//
// The count that needs no GPU: what one launch asks of memory, by brute force over the addresses
// that all of its threads make. The samples describe their accesses with it for `--count`.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/sectors/warp_request.h"

namespace samples {

// Where a thread stands in its launch, under the names it has in a kernel.
struct Thread {
  uint3 threadIdx;
  uint3 blockIdx;
  dim3 blockDim;
  dim3 gridDim;
};

// One access of one kernel, named as the report names it.
struct Access {
  int line;
  std::string kernel;     // without return type and parameters: "copy<2>"
  std::string kind;       // "load", "store", "atomic", "reduction", "async copy"
  std::uint32_t width;    // bytes per lane
  std::string file = {};  // empty: the sample's own .cu
};

// A lane's byte offset from its array, which starts at a multiple of 256 bytes; empty for a lane
// that takes no part. A warp without any lane makes no request.
using Offset = std::optional<std::uint64_t>;

// The byte offset of element `index` of an array of `T`.
template <typename T>
constexpr std::uint64_t At(std::uint64_t index) {
  return index * sizeof(T);
}

// The usual global indices, as a kernel computes them.
inline std::uint64_t GlobalX(const Thread& t) {
  return std::uint64_t{t.blockIdx.x} * t.blockDim.x + t.threadIdx.x;
}
inline std::uint64_t GlobalY(const Thread& t) {
  return std::uint64_t{t.blockIdx.y} * t.blockDim.y + t.threadIdx.y;
}

class Reference {
 public:
  explicit Reference(std::string file) : file_(FromSamples(std::move(file))) {}

  // Counts an access that every thread makes once; `offset_of(thread)` is its Offset.
  template <typename OffsetOf>
  void Add(const Access& access, dim3 grid, dim3 block, OffsetOf offset_of) {
    AddRepeated(access, grid, block, 1,
                [&](const Thread& thread, std::int64_t) { return Offset(offset_of(thread)); });
  }

  // Counts an access in a loop that every thread goes through `times` times, in step with its
  // warp; `offset_of(thread, i)` is the Offset in round i.
  template <typename OffsetOf>
  void AddRepeated(const Access& access, dim3 grid, dim3 block, std::int64_t times,
                   OffsetOf offset_of) {
    Row& row = RowOf(access);
    ForEachWarp(grid, block, [&](const std::vector<Thread>& warp) {
      for (std::int64_t i = 0; i < times; ++i) {
        coalcheck::sectors::WarpRequest request;
        request.width = access.width;
        for (std::size_t lane = 0; lane < warp.size(); ++lane) {
          const Offset offset = offset_of(warp[lane], i);
          if (!offset) continue;
          request.address[lane] = *offset;
          request.active |= 1U << lane;
        }
        if (request.active != 0) row.Add(coalcheck::sectors::Count(request));
      }
    });
  }

  void PrintJson() const {
    std::printf("{\"accesses\": [");
    const char* separator = "\n";
    for (const Row& row : rows_) {
      std::printf("%s  {\"file\": \"%s\", \"line\": %d, \"kernel\": \"%s\", \"kind\": \"%s\", ",
                  separator, row.access.file.c_str(), row.access.line, row.access.kernel.c_str(),
                  row.access.kind.c_str());
      std::printf("\"width_bytes\": %u, \"requests\": %llu, \"lanes\": %llu, \"sectors\": %llu, ",
                  row.access.width, Number(row.requests), Number(row.lanes), Number(row.sectors));
      std::printf("\"ideal_sectors\": %llu, \"lines\": %llu}", Number(row.ideal_sectors),
                  Number(row.lines));
      separator = ",\n";
    }
    std::printf("\n]}\n");
  }

 private:
  struct Row {
    Access access;
    coalcheck::Requests requests;
    coalcheck::Lanes lanes;
    coalcheck::Sectors sectors;
    coalcheck::Sectors ideal_sectors;
    coalcheck::CacheLines lines;

    void Add(const coalcheck::sectors::RequestCounts& counts) {
      requests += coalcheck::Requests(1);
      lanes += counts.lanes;
      sectors += counts.sectors;
      ideal_sectors += counts.ideal_sectors;
      lines += counts.lines;
    }
  };

  template <typename Quantity>
  static unsigned long long Number(Quantity quantity) {
    return quantity.count();
  }

  // "/home/me/coalcheck/samples/a/a.cu" → "samples/a/a.cu".
  static std::string FromSamples(std::string file) {
    const std::size_t folder = file.rfind("samples/");
    return folder == std::string::npos ? file : file.substr(folder);
  }

  // Calls `visit` with the threads of every warp of the launch, lane 0 first.
  template <typename Visit>
  static void ForEachWarp(dim3 grid, dim3 block, Visit visit) {
    constexpr std::uint32_t kWarp = coalcheck::kWarpSize;
    const std::uint32_t threads = block.x * block.y * block.z;
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    std::vector<Thread> warp;
    for (std::uint32_t first = 0; first < threads; first += kWarp) {
      warp.clear();
      for (std::uint32_t id = first; id < threads && id < first + kWarp; ++id) {
        const uint3 index{id % block.x, id / block.x % block.y, id / block.x / block.y};
        warp.push_back({index, {}, block, grid});
      }
      for (std::uint64_t id = 0; id < blocks; ++id) {
        const std::uint64_t row = id / grid.x;
        const uint3 index{static_cast<unsigned>(id % grid.x), static_cast<unsigned>(row % grid.y),
                          static_cast<unsigned>(row / grid.y)};
        for (Thread& thread : warp) thread.blockIdx = index;
        visit(std::as_const(warp));
      }
    }
  }

  Row& RowOf(Access access) {
    access.file = access.file.empty() ? file_ : FromSamples(std::move(access.file));
    rows_.push_back({std::move(access), {}, {}, {}, {}, {}});
    return rows_.back();
  }

  std::string file_;
  std::vector<Row> rows_;
};

}  // namespace samples
