// SPDX-License-Identifier: MIT
// Classes in device code: constructors and destructors, operators, inheritance, virtual calls.
#include "../check.h"

class Shape {
 public:
  __host__ __device__ explicit Shape(int sides) : sides_(sides) {}
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual int area() const = 0;
  __host__ __device__ int sides() const { return sides_; }

 private:
  int sides_;
};

class Rectangle : public Shape {
 public:
  __host__ __device__ Rectangle(int w, int h) : Shape(4), w_(w), h_(h) {}
  __host__ __device__ int area() const override { return w_ * h_; }

 private:
  int w_, h_;
};

class Square final : public Rectangle {
 public:
  __host__ __device__ explicit Square(int w) : Rectangle(w, w) {}
};

class Guard {
 public:
  __device__ explicit Guard(int* count) : count_(count) { atomicAdd(count_, 100); }
  __device__ ~Guard() { atomicSub(count_, 1); }

 private:
  int* count_;
};

struct Complex {
  float re, im;
  __host__ __device__ friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  __host__ __device__ Complex& operator+=(Complex o) { return re += o.re, im += o.im, *this; }
};

__global__ void classes_kernel(int* areas, int* count, Complex* z) {
  const int i = threadIdx.x;
  const Guard guard(count);
  const Rectangle rectangle(i + 1, 10);
  const Square square(i);
  const Shape* shape = i % 2 ? static_cast<const Shape*>(&square) : &rectangle;
  areas[i] = shape->area() + 1000 * shape->sides();
  if (i == 3) return;  // destroyed on every way out
  Complex value = {1.0f, static_cast<float>(i)};
  value += value * value;
  z[i] = value;
}

int main() {
  DeviceArray<int> areas(4), count(1);
  DeviceArray<Complex> z(4);
  classes_kernel<<<1, 4>>>(areas.data(), count.data(), z.data());
  CHECK_LAUNCH();
  show("areas", areas.host());
  show("guards", count.host());
  for (Complex value : z.host()) show("z", value.re, value.im);
  show("host", Square(9).area());
}

/* Prints:
areas: 4010 4001 4030 4009
guards: 396
z: 2 0
z: 1 3
z: -2 6
z: 0 0
host: 81
*/
