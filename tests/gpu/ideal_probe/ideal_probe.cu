// SPDX-License-Identifier: Apache-2.0
//
// Requests of odd shapes, one kernel each, for comparing the sector model's idea of "ideal" with
// what the vendor's tools count. Not a sample: nobody would write these.
#include <tuple>

#include "samples/common/sample.h"

using namespace samples;

// A shape says which threads take part, at which byte offset each reads, and how wide. Blocks have
// two warps; offsets count within a warp.
struct Lane {
  unsigned lane;
  unsigned warp;
};

struct Broadcast {
  using Word = unsigned;
  static constexpr const char* kName = "Broadcast";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return 0; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct BroadcastByOneLane {
  using Word = unsigned;
  static constexpr const char* kName = "BroadcastByOneLane";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return 0; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.lane == 7; }
};
struct TwoBroadcastsInOneSector {
  using Word = unsigned;
  static constexpr const char* kName = "TwoBroadcastsInOneSector";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 16 * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct TwoBroadcastsInOneLine {
  using Word = unsigned;
  static constexpr const char* kName = "TwoBroadcastsInOneLine";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 16 * 64; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct TwoBroadcastsFarApart {
  using Word = unsigned;
  static constexpr const char* kName = "TwoBroadcastsFarApart";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 16 * 1024; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct FourBroadcastsFarApart {
  using Word = unsigned;
  static constexpr const char* kName = "FourBroadcastsFarApart";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 8 * 1024; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct SixteenPairsFarApart {
  using Word = unsigned;
  static constexpr const char* kName = "SixteenPairsFarApart";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 2 * 256; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct PairsShareAWord {
  using Word = unsigned;
  static constexpr const char* kName = "PairsShareAWord";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 2 * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct BroadcastOf16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "BroadcastOf16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return 0; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct TwoBroadcastsOf16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "TwoBroadcastsOf16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane / 16 * 1024; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Contiguous1Byte {
  using Word = unsigned char;
  static constexpr const char* kName = "Contiguous1Byte";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Contiguous2Bytes {
  using Word = unsigned short;
  static constexpr const char* kName = "Contiguous2Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 2; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Contiguous8Bytes {
  using Word = uint2;
  static constexpr const char* kName = "Contiguous8Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 8; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Contiguous16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "Contiguous16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 16; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Strided1Byte {
  using Word = unsigned char;
  static constexpr const char* kName = "Strided1Byte";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Strided2Bytes {
  using Word = unsigned short;
  static constexpr const char* kName = "Strided2Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 64; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Gaps8Bytes {
  using Word = uint2;
  static constexpr const char* kName = "Gaps8Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 16; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Gaps16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "Gaps16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 32; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct WideGaps16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "WideGaps16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 160; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Misaligned8Bytes {
  using Word = uint2;
  static constexpr const char* kName = "Misaligned8Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 8 + 8; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct Misaligned16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "Misaligned16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 16 + 16; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct MisalignedGroups {
  using Word = unsigned;
  static constexpr const char* kName = "MisalignedGroups";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) {
    return t.lane / 8 * 1024 + t.lane % 8 * 4 + 16;
  }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct EverySecondLane {
  using Word = unsigned;
  static constexpr const char* kName = "EverySecondLane";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.lane % 2 == 0; }
};
struct EveryFourthLane16Bytes {
  using Word = uint4;
  static constexpr const char* kName = "EveryFourthLane16Bytes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 16; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.lane % 4 == 0; }
};
struct FirstThreeLanes {
  using Word = unsigned;
  static constexpr const char* kName = "FirstThreeLanes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.lane < 3; }
};
struct LastNineLanes {
  using Word = unsigned;
  static constexpr const char* kName = "LastNineLanes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.lane >= 23; }
};
struct FiveLanesScattered {
  using Word = unsigned;
  static constexpr const char* kName = "FiveLanesScattered";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 516; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.lane % 7 == 0; }
};
struct LanesWrapAround {
  using Word = unsigned;
  static constexpr const char* kName = "LanesWrapAround";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane % 8 * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct LanesReversed {
  using Word = unsigned;
  static constexpr const char* kName = "LanesReversed";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return (31 - t.lane) * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct MixedGroups {
  using Word = unsigned;
  static constexpr const char* kName = "MixedGroups";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) {
    return t.lane < 8 ? 0 : 1024 + t.lane / 16 * 4096 + t.lane * 4;
  }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return true; }
};
struct OddWarpsWithoutLanes {
  using Word = unsigned;
  static constexpr const char* kName = "OddWarpsWithoutLanes";
  static __host__ __device__ unsigned Offset([[maybe_unused]] Lane t) { return t.lane * 4; }
  static __host__ __device__ bool IsActive([[maybe_unused]] Lane t) { return t.warp % 2 == 0; }
};

using Shapes =
    std::tuple<Broadcast, BroadcastByOneLane, TwoBroadcastsInOneSector, TwoBroadcastsInOneLine,
               TwoBroadcastsFarApart, FourBroadcastsFarApart, SixteenPairsFarApart, PairsShareAWord,
               BroadcastOf16Bytes, TwoBroadcastsOf16Bytes, Contiguous1Byte, Contiguous2Bytes,
               Contiguous8Bytes, Contiguous16Bytes, Strided1Byte, Strided2Bytes, Gaps8Bytes,
               Gaps16Bytes, WideGaps16Bytes, Misaligned8Bytes, Misaligned16Bytes, MisalignedGroups,
               EverySecondLane, EveryFourthLane16Bytes, FirstThreeLanes, LastNineLanes,
               FiveLanesScattered, LanesWrapAround, LanesReversed, MixedGroups,
               OddWarpsWithoutLanes>;

constexpr unsigned kBlock = 64;
constexpr unsigned kBytes = 64 * 1024;  // more than any shape reaches
constexpr int kLoadLine = __LINE__ + 16;
constexpr int kStoreLine = kLoadLine + 2;

__device__ unsigned FirstPart(unsigned word) { return word; }
__device__ unsigned FirstPart(unsigned char word) { return word; }
__device__ unsigned FirstPart(unsigned short word) { return word; }
__device__ unsigned FirstPart(uint2 word) { return word.x + word.y; }
__device__ unsigned FirstPart(uint4 word) { return word.x + word.y + word.z + word.w; }

// `sums` gets one number per thread, so that nothing is optimised away.
template <typename Shape>
__global__ void probe(const char* bytes, unsigned* sums) {
  using Word = typename Shape::Word;
  const Lane t{threadIdx.x % 32, threadIdx.x / 32};
  Word word{};
  if (Shape::IsActive(t)) {
    word = *reinterpret_cast<const Word*>(bytes + Shape::Offset(t));
  }
  sums[blockIdx.x * kBlock + threadIdx.x] = FirstPart(word);
}

namespace {

template <typename Visit>
void ForEachShape(Visit visit) {
  std::apply([&](auto... shape) { (visit(shape), ...); }, Shapes());
}

void Run(const Arguments& arguments) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  DeviceArray<char> bytes(kBytes);
  DeviceArray<unsigned> sums(static_cast<std::size_t>(arguments.n));
  ForEachShape([&](auto shape) {
    using Shape = decltype(shape);
    const Timing timing = Measure(
        arguments.launches, [&] { probe<Shape><<<grid, kBlock>>>(bytes.data(), sums.data()); });
    Verify(Shape::kName, sums, [](std::size_t) { return 0u; });
    std::printf("%-28s %.4f ms\n", Shape::kName, timing.median_ms);
  });
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  ForEachShape([&](auto shape) {
    using Shape = decltype(shape);
    const std::string kernel = std::string("probe<") + Shape::kName + ">";
    reference.Add({kLoadLine, kernel, "load", sizeof(typename Shape::Word)}, grid, kBlock,
                  [](const Thread& thread) {
                    const Lane t{thread.threadIdx.x % 32, thread.threadIdx.x / 32};
                    return Shape::IsActive(t) ? Offset(Shape::Offset(t)) : std::nullopt;
                  });
    reference.Add({kStoreLine, kernel, "store", 4}, grid, kBlock,
                  [](const Thread& thread) { return At<unsigned>(GlobalX(thread)); });
  });
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "ideal_probe",
               .summary = "requests of odd shapes, to compare the sector model with",
               .source = __FILE__,
               .size = {"threads", 1 << 14, kBlock},
               .run = Run,
               .count = CountAccesses});
}
