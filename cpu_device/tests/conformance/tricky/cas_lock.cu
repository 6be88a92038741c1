// SPDX-License-Identifier: MIT
// A lock made of a compare-and-swap guards plain accesses of many blocks.
#include "../check.h"

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

int main() {
  DeviceArray<Account> account(1);
  deposits_kernel<<<50, 32>>>(account.data());
  CHECK_LAUNCH();
  const Account after = account.host()[0];
  show("balance", after.balance);
  show("history", after.history[0], after.history[1], after.history[2], after.history[3]);
}

/* Prints:
balance: 1225
history: 13 13 12 12
*/
