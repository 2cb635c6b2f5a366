// SPDX-License-Identifier: Apache-2.0
//
// A database's filter of three columns into a bitmap: a thread makes a word of the bitmap from 32
// rows, so that lanes read 32 rows apart. The repair has a lane to a row, and a ballot to a word.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kRows = 1U << 23;
constexpr unsigned kBlock = 256;

struct Table {
  const int* quantity;
  const unsigned short* ship_day;
  const unsigned char* discount;
};

struct Condition {
  unsigned short first_day, end_day;
  unsigned char least_discount, most_discount;
  int quantity_below;

  __device__ bool Holds(const Table& table, unsigned row) const {
    const int quantity = table.quantity[row];
    const unsigned day = table.ship_day[row];
    const unsigned discount = table.discount[row];
    return day >= first_day && day < end_day && discount >= least_discount &&
           discount <= most_discount && quantity < quantity_below;
  }
};

__global__ void filter_bitmap_bad(const Table table, const Condition condition,
                                  unsigned* __restrict__ bitmap) {
  const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if (condition.Holds(table, word * 32 + bit)) bits |= 1U << bit;
  }
  bitmap[word] = bits;
}

__global__ void filter_bitmap_good(const Table table, const Condition condition,
                                   unsigned* __restrict__ bitmap) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bits = __ballot_sync(~0U, condition.Holds(table, row));
  if (row % 32 == 0) bitmap[row / 32] = bits;
}

template <typename Kernel>
Side Make(Kernel kernel, unsigned threads) {
  std::vector<int> all_quantity(kRows);
  std::vector<unsigned short> all_days(kRows);
  std::vector<unsigned char> all_discounts(kRows);
  for (unsigned i = 0; i < kRows; ++i) {
    const unsigned hash = (i + 1) * 2654435761U;
    all_quantity[i] = static_cast<int>((hash >> 8U) % 50);
    all_days[i] = static_cast<unsigned short>((hash >> 16U) % 2500);
    all_discounts[i] = static_cast<unsigned char>((hash >> 24U) % 11);
  }
  const auto quantity = std::make_shared<DeviceArray<int>>(all_quantity);
  const auto days = std::make_shared<DeviceArray<unsigned short>>(all_days);
  const auto discounts = std::make_shared<DeviceArray<unsigned char>>(all_discounts);
  const auto bitmap = MakeArray<unsigned>(kRows / 32);
  return {[=] {
            kernel<<<threads / kBlock, kBlock>>>(
                Table{quantity->data(), days->data(), discounts->data()},
                Condition{365, 1460, 3, 7, 24}, bitmap->data());
          },
          [=] { return Values(*bitmap); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"filter_bitmap", [] { return Make(filter_bitmap_bad, kRows / 32); },
               [] { return Make(filter_bitmap_good, kRows); }});
}
