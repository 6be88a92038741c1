// SPDX-License-Identifier: MIT
// Atomic operations, flags, warps.
#include "../check.h"
#include "../parts.h"

// Atomics and plain accesses to the same places, never without a barrier or a kernel's end between.
namespace atomics_and_plain_accesses {

__global__ void rounds_kernel(const int* values, int* bins, int* total) {
  __shared__ int local[4];
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    if (t < 4) local[t] = 0;
    __syncthreads();
    atomicAdd(&local[values[t] % 4], 1);
    __syncthreads();
    if (t < 4) atomicAdd(&bins[t], local[t]);
    if (t == 0) atomicAdd(total, local[0] + local[1] + local[2] + local[3]);
    __syncthreads();
  }
}

__global__ void finish_kernel(int* bins, const int* total) {
  bins[threadIdx.x] = bins[threadIdx.x] * 100 / *total;
}

PART(atomics_and_plain_accesses) {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i < 40 ? i : 1;
  DeviceArray<int> in(values), bins(4), total(1);
  rounds_kernel<<<8, 64>>>(in.data(), bins.data(), total.data());
  finish_kernel<<<1, 4>>>(bins.data(), total.data());
  CHECK_LAUNCH();
  show("total", total.host());
  show("percent", bins.host());
}

}  // namespace atomics_and_plain_accesses

/* Prints:
total: 1536
percent: 15 53 15 15
*/

// A lock made of a compare-and-swap guards plain accesses of many blocks.
namespace cas_lock {

struct Account {
  int lock;
  int balance;
  int history[4];
};

__device__ void deposit(Account* account, int amount) {
  while (atomicCAS(&account->lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile Account* inside = account;
  inside->balance = inside->balance + amount;
  inside->history[amount % 4] = inside->history[amount % 4] + 1;
  __threadfence();
  atomicExch(&account->lock, 0);
}

__global__ void deposits_kernel(Account* account) {
  if (threadIdx.x == 0) deposit(account, blockIdx.x);
}

PART(cas_lock) {
  DeviceArray<Account> account(1);
  deposits_kernel<<<50, 32>>>(account.data());
  CHECK_LAUNCH();
  const Account after = account.host()[0];
  show("balance", after.balance);
  show("history", after.history[0], after.history[1], after.history[2], after.history[3]);
}

}  // namespace cas_lock

/* Prints:
balance: 1225
history: 13 13 12 12
*/

// The usual compare-and-swap loop begins with a plain read, while other threads change the word.
namespace cas_loop {

__device__ void atomic_multiply(float* address, float factor) {
  int* bits = reinterpret_cast<int*>(address);
  int seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) * factor));
  } while (seen != expected);
}

__global__ void product_kernel(float* product) {
  atomic_multiply(product, threadIdx.x % 2 ? 2.0f : 0.5f);
  if (threadIdx.x < 3) atomic_multiply(product, 2.0f);
}

PART(cas_loop) {
  DeviceArray<float> product({1.5f});
  product_kernel<<<2, 64>>>(product.data());
  CHECK_LAUNCH();
  show("product", product.host());
}

}  // namespace cas_loop

/* Prints:
product: 96
*/

// Blocks take numbers, and each waits for the sum of the one before it: flags, fences, no race.
namespace chained_blocks {

__global__ void chain_kernel(const int* in, int* out, int* next, int* flags, int* sums) {
  __shared__ int number, before;
  const int t = threadIdx.x;
  if (t == 0) number = atomicAdd(next, 1);
  __syncthreads();
  const int block = number, i = block * 32 + t;
  int value = in[i];
  for (int by = 1; by < 32; by *= 2) {
    const int left = __shfl_up_sync(0xffffffff, value, by);
    if (t >= by) value += left;
  }
  if (t == 31) {
    int sum = 0;
    if (block > 0) {
      while (atomicAdd(&flags[block - 1], 0) == 0) {
      }
      __threadfence();
      sum = *static_cast<volatile int*>(&sums[block - 1]);
    }
    before = sum;
    sums[block] = sum + value;
    __threadfence();
    atomicExch(&flags[block], 1);
  }
  __syncthreads();
  out[i] = before + value;
}

PART(chained_blocks) {
  const int blocks = 16, n = 32 * blocks;
  std::vector<int> values(n, 1);
  DeviceArray<int> in(values), out(n), next(1), flags(blocks), sums(blocks);
  chain_kernel<<<blocks, 32>>>(in.data(), out.data(), next.data(), flags.data(), sums.data());
  CHECK_LAUNCH();
  const std::vector<int> scan = out.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += scan[i] != i + 1;
  show("wrong", wrong);
}

}  // namespace chained_blocks

/* Prints:
wrong: 0
*/

// Blocks leave partial sums; the last to finish, known by an atomic counter, adds them up.
namespace last_block_reduction {

__device__ unsigned finished = 0;

__global__ void sum_kernel(const float* in, int n, volatile float* partial, float* out) {
  __shared__ float cells[128];
  __shared__ bool last;
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  cells[t] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) cells[t] += cells[t + half];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = cells[0];
    __threadfence();  // the partial sum is seen before the count
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || t != 0) return;
  __threadfence();
  sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += partial[block];
  *out = sum;
}

PART(last_block_reduction) {
  const int n = 10000;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 8 * 0.5f;
  DeviceArray<float> in(values), partial(20), out(1);
  for (int round = 0; round < 3; ++round) {
    sum_kernel<<<20, 128>>>(in.data(), n, partial.data(), out.data());
    CHECK_LAUNCH();
    show("sum", out.host());
  }
}

}  // namespace last_block_reduction

/* Prints:
sum: 17500
sum: 17500
sum: 17500
*/

// Warp functions of parts of a warp: in branches, after exits, in a short last warp.
namespace partial_warps {

__global__ void parts_kernel(int* out) {
  const int t = threadIdx.x, lane = t % 32;
  if (t >= 76) return;
  const unsigned mask = t < 64 ? 0xffffffffu : 0x00000fffu;
  int value = __shfl_xor_sync(mask, t, 1);
  if (lane < 4) {
    value += 100 * __shfl_sync(0x0000000f, value, 3);
    __syncwarp(0x0000000f);
  } else if (lane < 12) {
    value += 100 * (__ballot_sync(0x00000ff0, lane % 2) >> 4);
  }
  __syncthreads();
  out[t] = value + (__any_sync(mask, lane == 11) ? 1000000 : 0);
}

PART(partial_warps) {
  DeviceArray<int> out(76);
  parts_kernel<<<1, 96>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> got = out.host();
  show("some", got[0], got[3], got[4], got[12], got[64], got[75]);
}

}  // namespace partial_warps

/* Prints:
some: 1000201 1000202 1017005 1000013 1006665 1017074
*/

// Each warp works in its own part of a shared array, with __syncwarp alone, at its own pace.
namespace regions_of_warps {

__global__ void regions_kernel(int* out) {
  __shared__ int cells[4][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int* mine = cells[warp];
  mine[lane] = lane;
  for (int round = 0; round < 2 * warp + 1; ++round) {  // unequally many rounds
    __syncwarp();
    const int next = mine[(lane + 1) % 32];
    __syncwarp();
    mine[lane] = next + 1;
  }
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < 4; ++w) sum += cells[w][lane];
  if (warp == 0) out[lane] = sum;
}

PART(regions_of_warps) {
  DeviceArray<int> out(32);
  regions_kernel<<<1, 128>>>(out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

}  // namespace regions_of_warps

/* Prints:
sums: 32 36 40 44 48 52 56 60 64 68 72 76 80 84 88 92 96 100 104 108 112 116 120 124 128 100 104 76 80 52 56 28
*/

// A lock that is only tried: whoever fails goes on without; in a block, one thread wins.
namespace try_lock {

__global__ void elect_kernel(int* locks, int* winner_writes) {
  if (atomicCAS(&locks[blockIdx.x], 0, 1) == 0) {
    winner_writes[2 * blockIdx.x] = 1;  // by one thread only
    winner_writes[2 * blockIdx.x + 1] += 10;
  }
}

PART(try_lock) {
  DeviceArray<int> locks(6), writes(12);
  elect_kernel<<<6, 100>>>(locks.data(), writes.data());
  CHECK_LAUNCH();
  show("writes", writes.host());
}

}  // namespace try_lock

/* Prints:
writes: 1 10 1 10 1 10 1 10 1 10 1 10
*/

// Updates of volatile memory behind a lock: two accesses, but nobody comes in between.
namespace volatile_behind_a_lock {

__device__ int g_mutex, g_sum;

__global__ void add(int value) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&g_mutex, 0, 1) != 0) continue;
    __threadfence();
    *(volatile int*)&g_sum += value;
    __threadfence();
    atomicExch(&g_mutex, 0);
    done = true;
  }
}

__global__ void read(int* out) {
  *out = g_sum;
}

PART(volatile_behind_a_lock) {
  DeviceArray<int> out(1);
  add<<<3, 40>>>(2);
  CHECK_LAUNCH();
  read<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("sum", out.host());
}

}  // namespace volatile_behind_a_lock

/* Prints:
sum: 240
*/

// Threads of a block that wait for each other in loops without a fence: by atomic functions, by
// variables that are volatile, through a function and a macro.
namespace spin_waits {

__device__ volatile int g_arrived;
__device__ int g_turn;

#define SPIN_UNTIL(place, value) while (atomicAdd(place, 0) != (value))

__device__ int arrived() {
  return g_arrived;
}

__global__ void meet(volatile int* count, int* out) {
  const int i = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
  atomicAdd(const_cast<int*>(count), 1);
  while (*count != n)
    ;
  atomicAdd(const_cast<int*>(&g_arrived), 1);
  do {
  } while (arrived() != n);
  // From the last thread to the first.
  for (; *(volatile int*)&g_turn != n - 1 - i;) {
  }
  out[n - 1 - i] = i;
  atomicAdd(&g_turn, 1);
  SPIN_UNTIL(&g_turn, n);
}

PART(spin_waits) {
  DeviceArray<int> count = {0}, out(64);
  meet<<<1, 64>>>(count.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<int> order = out.host();
  show("order", order[0], order[1], order[62], order[63]);
  show("count", count.host());
}

}  // namespace spin_waits

/* Prints:
order: 63 62 1 0
count: 64
*/

// Volatile flags in global memory, each with its fence: turns that blocks take, a sum behind a
// lock, a flag that every block raises, and one that all look at. No race.
namespace volatile_flags {

__global__ void turns_kernel(int* next, int* turns, int* sum) {
  volatile int* turn = turns;
  const int own = atomicAdd(next, 1);
  while (*turn != own) {
  }
  __threadfence();
  volatile int* total = sum;
  *total = *total + 1;
  __threadfence();
  *turn = own + 1;
}

__global__ void lock_kernel(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile int* total = sum;
  *total = *total + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void raise_kernel(int* flag, int* seen) {
  volatile int* changed = flag;
  if (*changed == 0) *changed = 1;
  *changed = *changed | 1;
  seen[blockIdx.x * blockDim.x + threadIdx.x] = *changed;
}

// Threads that take the same element one after the other, with a barrier between.
__global__ void barrier_kernel(int* sum) {
  volatile int* total = sum;
  for (unsigned t = 0; t < blockDim.x; ++t) {
    if (threadIdx.x == t) *total = *total + 1;
    __syncthreads();
  }
}

PART(volatile_flags) {
  DeviceArray<int> numbers(std::vector<int>(7, 0)), seen(64);
  turns_kernel<<<8, 1>>>(numbers.data() + 6, numbers.data(), numbers.data() + 1);
  CHECK_LAUNCH();
  lock_kernel<<<8, 32>>>(numbers.data() + 2, numbers.data() + 3);
  CHECK_LAUNCH();
  raise_kernel<<<2, 32>>>(numbers.data() + 4, seen.data());
  CHECK_LAUNCH();
  barrier_kernel<<<1, 64>>>(numbers.data() + 5);
  CHECK_LAUNCH();
  const std::vector<int> now = numbers.host();
  show("turns", now[0], now[1]);
  show("lock", now[2], now[3]);
  show("flag", now[4]);
  show("barriers", now[5]);
}

}  // namespace volatile_flags

/* Prints:
turns: 8 8
lock: 0 8
flag: 1
barriers: 64
*/

// Plain reads beside atomics of which it does not matter what they see.
namespace plain_reads_beside_atomics {

__device__ float maximum(float* best, float value) {
  int* const bits = reinterpret_cast<int*>(best);
  int old = *bits;
  while (__int_as_float(old) < value) {
    const int seen = atomicCAS(bits, old, __float_as_int(value));
    if (seen == old) break;
    old = seen;
  }
  return __int_as_float(old);
}

// In shared memory, too.
__global__ void maximum_kernel(const float* in, float* best) {
  __shared__ float of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  maximum(&of_block, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) maximum(best, of_block);
}

// Who finds no room does not draw a ticket.
__global__ void slots_kernel(int* taken, int* slots, int room) {
  if (*taken >= room) return;
  const int slot = atomicAdd(taken, 1);
  if (slot < room) slots[slot] = 1;
}

// Who finds its key there has nothing to do.
__global__ void insert_kernel(const int* keys, int* table, int* inserted) {
  const int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  for (int at = key % 16;; at = (at + 1) % 16) {
    if (table[at] == key) return;
    if (table[at] != 0) continue;
    const int seen = atomicCAS(&table[at], 0, key);
    if (seen == 0) atomicAdd(inserted, 1);
    if (seen == 0 || seen == key) return;
  }
}

// A flag that is raised once.
__global__ void search_kernel(const int* values, int wanted, int* found) {
  for (int i = 0; i < 4; ++i) {
    if (*found) return;
    if (values[threadIdx.x * 4 + i] == wanted) atomicExch(found, 1);
  }
}

// The last block clears the counter that it has drawn the last ticket of.
__global__ void tickets_kernel(unsigned int* tickets, int* last) {
  if (threadIdx.x != 0 || atomicAdd(tickets, 1u) != gridDim.x - 1) return;
  *tickets = 0;
  *last += 1;
}

PART(plain_reads_beside_atomics) {
  std::vector<float> numbers(128);
  for (int i = 0; i < 128; ++i) numbers[i] = static_cast<float>(i * 37 % 101);
  const DeviceArray<float> in(numbers), best(1);
  maximum_kernel<<<4, 32>>>(in.data(), best.data());
  CHECK_LAUNCH();
  const DeviceArray<int> taken(1), slots(10);
  slots_kernel<<<4, 32>>>(taken.data(), slots.data(), 10);
  CHECK_LAUNCH();
  std::vector<int> words(64);
  for (int i = 0; i < 64; ++i) words[i] = 1 + i * i % 9;
  const DeviceArray<int> keys(words), table(16), inserted(1), found(1);
  insert_kernel<<<2, 32>>>(keys.data(), table.data(), inserted.data());
  CHECK_LAUNCH();
  search_kernel<<<1, 16>>>(keys.data(), 5, found.data());
  CHECK_LAUNCH();
  const DeviceArray<unsigned int> tickets(1);
  const DeviceArray<int> last(1);
  for (int i = 0; i < 3; ++i) tickets_kernel<<<5, 32>>>(tickets.data(), last.data());
  CHECK_LAUNCH();
  show("last", last.host());
  show("best", best.host());
  show("slots", slots.host());
  show("inserted", inserted.host());
  show("found", found.host());
}

}  // namespace plain_reads_beside_atomics

/* Prints:
last: 3
best: 100
slots: 1 1 1 1 1 1 1 1 1 1
inserted: 4
found: 1
*/

// Atomics and fences for a block hand on within it; a chain of them reaches another block.
namespace scopes_of_a_block {

__device__ int g_stage, g_lock;

__global__ void chain_kernel(int* data) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0 && t == 0) {
    *data += 1;
    __threadfence_block();
    atomicExch(&g_stage, 1);
  } else if (blockIdx.x == 0 && t == 32) {
    while (atomicAdd(&g_stage, 0) != 1) {
    }
    *data += 2;
    __threadfence();
    atomicExch(&g_stage, 2);
  } else if (blockIdx.x == 1 && t == 0) {
    while (atomicAdd(&g_stage, 0) != 2) {
    }
    *data += 4;
  }
}

__global__ void tally_kernel(int* bins) {
  int* const own = bins + blockIdx.x * 2;
  atomicAdd_block(&own[threadIdx.x % 2], 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&bins[4], own[0]);
}

__global__ void lock_kernel(int* data) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS_block(&g_lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *data += 1;
  __threadfence_block();
  atomicExch_block(&g_lock, 0);
}

PART(scopes_of_a_block) {
  const DeviceArray<int> data(2), bins(5);
  chain_kernel<<<2, 64>>>(data.data());
  CHECK_LAUNCH();
  lock_kernel<<<1, 128>>>(data.data() + 1);
  CHECK_LAUNCH();
  tally_kernel<<<2, 64>>>(bins.data());
  CHECK_LAUNCH();
  show("data", data.host());
  show("bins", bins.host());
}

}  // namespace scopes_of_a_block

/* Prints:
data: 7 4
bins: 32 32 32 32 64
*/

// Blocks of an ordinary launch that wait for later ones.
namespace blocks_that_wait_for_later_ones {

__device__ unsigned int g_arrived;

__global__ void turn_kernel(const int* in, int* between, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  between[i] = 2 * in[i];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&g_arrived, 1u);
    while (atomicAdd(&g_arrived, 0u) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = between[n - 1 - i];
}

PART(blocks_that_wait_for_later_ones) {
  std::vector<int> values(128);
  for (int i = 0; i < 128; ++i) values[i] = i;
  const DeviceArray<int> in(values), between(128), out(128);
  turn_kernel<<<4, 32>>>(in.data(), between.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<int> now = out.host();
  show("turned", now[0], now[63], now[127]);
}

}  // namespace blocks_that_wait_for_later_ones

/* Prints:
turned: 254 128 0
*/

// Who claims a slot fills it and says so; the others wait for that, and take no lock.
namespace claimed_slots {

__global__ void fill_kernel(int* states, int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, slot = threadIdx.x % 8;
  if (atomicCAS(&states[slot], 0, 1) == 0) {
    values[slot] = slot * 5;
    __threadfence();
    atomicExch(&states[slot], 2);
  } else {
    while (atomicAdd(&states[slot], 0) != 2) {
    }
    __threadfence();
  }
  out[i] = values[slot];
}

PART(claimed_slots) {
  const DeviceArray<int> states(8), values(8), out(64);
  fill_kernel<<<2, 32>>>(states.data(), values.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<int> now = out.host();
  show("values", now[0], now[9], now[63]);
}

}  // namespace claimed_slots

/* Prints:
values: 0 5 35
*/

// A volatile flag in shared memory between two warps.
namespace shared_volatile_flag {

__global__ void hand_kernel(int* out) {
  __shared__ volatile int full;
  __shared__ int parcel;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    parcel = 42;
    __threadfence_block();
    full = 1;
  }
  if (threadIdx.x == 32) {
    while (full != 1) {
    }
    __threadfence_block();
    *out = parcel;
  }
}

PART(shared_volatile_flag) {
  const DeviceArray<int> out(1);
  hand_kernel<<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  show("parcel", out.host());
}

}  // namespace shared_volatile_flag

/* Prints:
parcel: 42
*/

// A reduction whose last levels need no block barrier, because __syncwarp stands between them.
namespace warp_synchronous {

__device__ void last_levels(volatile int* cells, int lane) {
  for (int by = 16; by > 0; by /= 2) {
    const int other = lane < by ? cells[lane + by] : 0;
    __syncwarp();
    if (lane < by) cells[lane] = cells[lane] + other;
    __syncwarp();
  }
}

__global__ void sum_kernel(const int* in, int* out) {
  __shared__ int cells[256];
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half >= 32; half /= 2) {
    if (t < half) cells[t] += cells[t + half];
    __syncthreads();
  }
  if (t < 32) last_levels(cells, t);
  if (t == 0) out[blockIdx.x] = cells[0];
}

PART(warp_synchronous) {
  std::vector<int> values(1024);
  for (int i = 0; i < 1024; ++i) values[i] = i;
  DeviceArray<int> in(values), out(4);
  sum_kernel<<<4, 256>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

}  // namespace warp_synchronous

/* Prints:
sums: 32640 98176 163712 229248
*/

// Half of a warp adds in step; the others, of the same and only warp, wait at a barrier already.
namespace volatile_steps_before_a_barrier {

__device__ void last_two_levels(volatile int* cells, int t) {
  if (t < 4) cells[t] += cells[t + 4];
  __syncthreads();
  if (t < 2) cells[t] += cells[t + 2];
}

__global__ void sum_kernel(const int* in, int* out) {
  __shared__ int cells[8];
  cells[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  last_two_levels(cells, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = cells[0] + cells[1];
}

PART(volatile_steps_before_a_barrier) {
  DeviceArray<int> in(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}), out(8);
  sum_kernel<<<1, 8>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

}  // namespace volatile_steps_before_a_barrier

/* Prints:
sums: 36 36 36 36 36 36 36 36
*/
