// SPDX-License-Identifier: Apache-2.0
//
// Totals of those orders that are paid: orders as structures, or an array for each field. Threads
// of a block add up through shared memory.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

struct Order {
  std::int64_t customer, product;
  std::int32_t state;
  float price, tax;
  std::int32_t count;
};

constexpr unsigned kOrders = 1 << 23;
constexpr unsigned kBlock = 256;
constexpr unsigned kBlocks = 1056;
constexpr std::int32_t kPaid = 3;

__device__ void StoreSumOfBlock(float sum, float* out) {
  __shared__ float sums[kBlock];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void paid_orders_bad(const Order* orders, float* out) {
  float sum = 0;
  for (unsigned i = blockIdx.x * kBlock + threadIdx.x; i < kOrders; i += kBlocks * kBlock) {
    if (orders[i].state != kPaid) continue;
    sum += orders[i].price;
    sum += orders[i].tax;
  }
  StoreSumOfBlock(sum, out);
}

struct Fields {
  const std::int32_t* state;
  const float* price;
  const float* tax;
};

__global__ void paid_orders_good(Fields orders, float* out) {
  float sum = 0;
  for (unsigned i = blockIdx.x * kBlock + threadIdx.x; i < kOrders; i += kBlocks * kBlock) {
    if (orders.state[i] != kPaid) continue;
    sum += orders.price[i];
    sum += orders.tax[i];
  }
  StoreSumOfBlock(sum, out);
}

std::int32_t StateOf(unsigned i) { return static_cast<std::int32_t>(i * 2654435761U >> 30U); }
float PriceOf(unsigned i) { return static_cast<float>(i % 64); }

Side MakeBad() {
  std::vector<Order> all(kOrders);
  for (unsigned i = 0; i < kOrders; ++i) all[i] = {i, i, StateOf(i), PriceOf(i), 2, 1};
  const auto orders = std::make_shared<DeviceArray<Order>>(all);
  const auto out = MakeArray<float>(kBlocks);
  return {[=] { paid_orders_bad<<<kBlocks, kBlock>>>(orders->data(), out->data()); },
          [=] { return Values(*out); }};
}

Side MakeGood() {
  std::vector<std::int32_t> states(kOrders);
  std::vector<float> prices(kOrders);
  for (unsigned i = 0; i < kOrders; ++i) {
    states[i] = StateOf(i);
    prices[i] = PriceOf(i);
  }
  const auto state = std::make_shared<DeviceArray<std::int32_t>>(states);
  const auto price = std::make_shared<DeviceArray<float>>(prices);
  const auto tax = std::make_shared<DeviceArray<float>>(std::vector<float>(kOrders, 2));
  const auto out = MakeArray<float>(kBlocks);
  return {[=] {
            paid_orders_good<<<kBlocks, kBlock>>>({state->data(), price->data(), tax->data()},
                                                  out->data());
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv, {"paid_orders", [] { return MakeBad(); }, [] { return MakeGood(); }});
}
