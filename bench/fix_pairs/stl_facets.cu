// SPDX-License-Identifier: Apache-2.0
//
// Area and volume of a surface from the bytes of an STL file, in which a facet has 50 bytes: a
// normal, three corners and a word. A thread to a facet reads its corners from there, half a float
// at a time, since facets begin at even bytes only. The repair brings a block's facets into shared
// memory side by side.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kFacets = 1U << 20;
constexpr unsigned kFacetBytes = 50;
constexpr unsigned kHeaderBytes = 84;
constexpr unsigned kBlock = 128;
constexpr unsigned kBlockWords = kBlock * kFacetBytes / 4;

struct Measure {
  float area2;    // squared, of the parallelogram
  float volume6;  // times 6, of the tetrahedron to the origin
};

__device__ __forceinline__ float ReadFloat(const unsigned char* at) {
  const unsigned short* const halves = reinterpret_cast<const unsigned short*>(at);
  return __uint_as_float(halves[0] | static_cast<unsigned>(halves[1]) << 16U);
}

__device__ __forceinline__ float3 ReadCorner(const unsigned char* facet, unsigned corner) {
  const unsigned char* const at = facet + 12 * (corner + 1);
  return make_float3(ReadFloat(at), ReadFloat(at + 4), ReadFloat(at + 8));
}

__device__ __forceinline__ float3 Minus(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ __forceinline__ float3 Cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ __forceinline__ float Dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ Measure MeasureFacet(const unsigned char* facet) {
  const float3 a = ReadCorner(facet, 0);
  const float3 b = ReadCorner(facet, 1);
  const float3 c = ReadCorner(facet, 2);
  const float3 normal = Cross(Minus(b, a), Minus(c, a));
  return {Dot(normal, normal), Dot(a, Cross(b, c))};
}

__global__ void stl_facets_bad(const unsigned char* __restrict__ file, float2* measures,
                               unsigned facets) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < facets;
       i += gridDim.x * blockDim.x) {
    const Measure measure = MeasureFacet(file + kHeaderBytes + std::size_t{i} * kFacetBytes);
    measures[i] = make_float2(measure.area2, measure.volume6);
  }
}

__global__ void stl_facets_good(const unsigned char* __restrict__ file, float2* measures,
                                unsigned facets) {
  __shared__ unsigned words[kBlockWords];
  const unsigned* const all = reinterpret_cast<const unsigned*>(file + kHeaderBytes);
  for (unsigned block = blockIdx.x; block < facets / kBlock; block += gridDim.x) {
    for (unsigned w = threadIdx.x; w < kBlockWords; w += kBlock) {
      words[w] = all[std::size_t{block} * kBlockWords + w];
    }
    __syncthreads();
    const auto* const own =
        reinterpret_cast<const unsigned char*>(words) + threadIdx.x * kFacetBytes;
    const Measure measure = MeasureFacet(own);
    measures[block * kBlock + threadIdx.x] = make_float2(measure.area2, measure.volume6);
    __syncthreads();
  }
}

template <typename Kernel>
Side Make(Kernel kernel) {
  std::vector<unsigned char> bytes(kHeaderBytes + std::size_t{kFacets} * kFacetBytes);
  for (unsigned i = 0; i < kFacets; ++i) {
    float numbers[12] = {0, 0, 1};
    for (unsigned k = 0; k < 9; ++k) {  // small whole numbers, of which products are exact
      numbers[3 + k] = static_cast<float>(((i * 9 + k + 1) * 2654435761U) >> 28U);
    }
    std::memcpy(bytes.data() + kHeaderBytes + std::size_t{i} * kFacetBytes, numbers,
                sizeof numbers);
  }
  const auto file = std::make_shared<DeviceArray<unsigned char>>(bytes);
  const auto measures = MakeArray<float2>(kFacets);
  return {
      [=] { kernel<<<kFacets / kBlock / 4, kBlock>>>(file->data(), measures->data(), kFacets); },
      [=] {
        std::vector<double> values;
        for (const float2& one : measures->Slice(0, kFacets)) {
          values.push_back(one.x);
          values.push_back(one.y);
        }
        return values;
      }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"stl_facets", [] { return Make(stl_facets_bad); }, [] { return Make(stl_facets_good); }});
}
