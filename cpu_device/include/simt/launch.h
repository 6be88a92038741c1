// SPDX-License-Identifier: MIT
// What `kernel<<<grid, block, shared, stream>>>` becomes: an object that, called with the kernel's
// arguments, converts them as an ordinary call would, copies them and queues the launch.
//
// A kernel named in a launch is one of two things:
//   - a function (or a pointer to one): its parameter types are known, so arguments are converted
//     to them here, on the host, as nvcc does (NULL, braces and user conversions included);
//   - a set of overloads or a template whose arguments are to be deduced: a function that the
//     rewriter has put beside each of them, and that is chosen alike, tells the parameter types,
//     and by these the kernel is one function. Where the rewriter could not (a kernel or a launch
//     that a macro makes, arguments left to defaults), each thread makes the call itself, with
//     copies of the arguments, and the compiler chooses by those.
// Which one it is can only be asked inside a template, hence the generic lambdas of the macro.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "simt/attributes.h"
#include "simt/runtime_api.h"
#include "simt/vector_types.h"

#pragma GCC visibility push(default)
extern "C" {

// One kernel with its arguments, for the engine: `invoke(arguments)` runs the kernel once, as the
// thread that the built-in variables describe.
struct ConvkitSimtKernel {
  void (*invoke)(const void* arguments);
  const void* arguments;  // copied by the engine, bit for bit, as CUDA copies parameters
  size_t arguments_bytes;
  const void* function;  // identifies the kernel for its attributes; null when deduced
  const char* name;      // as written at the launch; null where the kernel is given by its address
  const size_t* pointers;           // offsets of the pointers among the arguments ...
  const unsigned char* pointer_at;  // ... and which argument (from 1) each of them is
  unsigned pointer_count;
};

struct ConvkitSimtLaunch {
  unsigned grid[3], block[3];
  size_t shared_bytes;
  cudaStream_t stream;
  const char* file;
  int line;
  unsigned most_threads;  // of a block, by the kernel's __launch_bounds__; 0: not known
  int cooperative;        // all blocks are resident at once
};

// Queues the launch, or returns CUDA's error, which cudaGetLastError() will return, too.
cudaError_t convkit_simt_launch(const ConvkitSimtKernel* kernel, const ConvkitSimtLaunch* launch);

// For calls that take a kernel as `void*`, with an array of pointers to its arguments: calls
// `use(kernel, state)` with the kernel and a copy of the arguments.
typedef cudaError_t (*ConvkitSimtUseKernel)(const ConvkitSimtKernel* kernel, void* state);
typedef cudaError_t (*ConvkitSimtReadArguments)(const void* function, void** arguments,
                                                ConvkitSimtUseKernel use, void* state);
void convkit_simt_kernel_type(const void* function, ConvkitSimtReadArguments read);

// What CONVKIT_SIMT_TEXT stands for: the text before launches were rewritten. It lives on.
const char* convkit_simt_original_text(const char* rewritten);

// Tells the engine which loaded object holds device code: its thread-local storage is the
// `__shared__` memory that is poisoned before every block; between `managed` and `managed_end` lie
// its `__managed__` variables (null: it has none).
void convkit_simt_register_object(const void* address_in_it, void* managed, void* managed_end);

// By the linker, for each loaded object.
extern __attribute__((weak, visibility("hidden"))) char __start_convkit_managed_memory[];
extern __attribute__((weak, visibility("hidden"))) char __stop_convkit_managed_memory[];
}
#pragma GCC visibility pop

namespace convkit::simt {

struct LaunchConfig : ConvkitSimtLaunch {
  LaunchConfig(dim3 grid_dim, dim3 block_dim = 1, size_t bytes = 0, cudaStream_t on = nullptr,
               const char* at_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : ConvkitSimtLaunch{{grid_dim.x, grid_dim.y, grid_dim.z},
                          {block_dim.x, block_dim.y, block_dim.z},
                          bytes,
                          on,
                          at_file,
                          at_line,
                          0,
                          0} {}
};

inline LaunchConfig bounded(LaunchConfig config, unsigned most_threads) {
  config.most_threads = most_threads;
  return config;
}

// A class whose copies or destructor do something: functions take it by its address. CUDA copies
// such arguments bit for bit, too, and no thread destroys its copy (CUDA C++ Programming Guide,
// "__global__ function argument processing").
template <class T>
constexpr bool kHasDuties =
    !std::is_reference<T>::value &&
    !(std::is_trivially_copy_constructible<T>::value &&
      std::is_trivially_move_constructible<T>::value && std::is_trivially_destructible<T>::value);

template <class T>
struct Bits {
  alignas(T) unsigned char bytes[sizeof(T)];
};

template <class T>
using Packed = typename std::conditional<kHasDuties<T>, Bits<T>, T>::type;

// The arguments of one launch: trivially laid out, made by `of` (a member, so that no other
// function of that name can be chosen instead), applied to a callable one by one.
template <class... T>
struct Arguments {
  static Arguments of() { return {}; }
  template <class F, class... Done>
  static __attribute__((always_inline)) void apply(const F& call, const Arguments&, Done&... done) {
    call(done...);
  }
  template <class Kernel, class... Done>
  static __attribute__((always_inline)) void pass(Kernel* kernel, const Arguments&, Done... done) {
    kernel(done...);
  }
};

// In check mode the compiler would check, for each argument and thread, the read of an argument as
// it was packed, and the write of the thread's copy. It does not check inline assembly, nor copies
// that stay in registers.
#if defined(CONVKIT_SIMT_CHECK) && defined(__x86_64__)
template <class T>
constexpr bool kInRegister = (std::is_arithmetic<T>::value || std::is_pointer<T>::value) &&
                             (sizeof(T) == 4 || sizeof(T) == 8);
#else
template <class T>
constexpr bool kInRegister = false;
#endif

template <class T>
inline __attribute__((always_inline)) T unpacked(const T& packed) {
  if constexpr (kInRegister<T>) {
    T value;
    __asm__("mov %1, %0" : "=r"(value) : "m"(packed));
    return value;
  }
  return packed;
}

template <class Head, class... Tail>
struct Arguments<Head, Tail...> {
  Packed<Head> head;
  Arguments<Tail...> tail;

  static Arguments of(Head& first, Tail&... others) {
    if constexpr (kHasDuties<Head>) {
      Bits<Head> bits;
      std::memcpy(bits.bytes, std::addressof(first), sizeof(Head));
      return {bits, Arguments<Tail...>::of(others...)};
    } else {
      return {static_cast<Head&&>(first), Arguments<Tail...>::of(others...)};
    }
  }

  // Passes them by value, as far as they fit in registers.
  template <class Kernel, class... Done>
  static __attribute__((always_inline)) void pass(Kernel* kernel, const Arguments& from,
                                                  Done... done) {
    Arguments<Tail...>::pass(kernel, from.tail, done...,
                             ::convkit::simt::unpacked<Head>(from.head));
  }

  // Each thread works on its own copies, because parameters are local variables of a thread.
  template <class F, class... Done>
  static __attribute__((always_inline)) void apply(const F& call, const Arguments& from,
                                                   Done&... done) {
    if constexpr (kHasDuties<Head>) {
      Bits<Head> copy = from.head;
      Arguments<Tail...>::apply(call, from.tail, done..., reinterpret_cast<Head&>(copy));
    } else {
      Head copy(::convkit::simt::unpacked<Head>(from.head));
      Arguments<Tail...>::apply(call, from.tail, done..., copy);
    }
  }
};

// Where the pointers lie among the arguments.
template <class... T>
struct PointerTable {
  size_t offset[sizeof...(T) + 1];
  unsigned char argument[sizeof...(T) + 1];
  unsigned count = 0;

  template <class Head, class... Tail>
  void add(const void* base, unsigned number, const Arguments<Head, Tail...>& from) {
    if (std::is_pointer<Head>::value &&
        !std::is_function<typename std::remove_pointer<Head>::type>::value) {
      offset[count] = static_cast<size_t>(reinterpret_cast<const char*>(&from.head) -
                                          static_cast<const char*>(base));
      argument[count++] = static_cast<unsigned char>(number);
    }
    add(base, number + 1, from.tail);
  }
  void add(const void*, unsigned, const Arguments<>&) {}
};

template <class Use, class... T>
cudaError_t use_kernel(const Use& use, const char* name, const void* function,
                       void (*invoke)(const void*), const void* image, size_t image_bytes,
                       const Arguments<T...>& arguments) {
  PointerTable<T...> table;
  table.add(image, 1, arguments);
  const ConvkitSimtKernel kernel{invoke, image,        image_bytes,    function,
                                 name,   table.offset, table.argument, table.count};
  return use(kernel);
}

template <class... T>
cudaError_t queue_launch(const LaunchConfig& config, const char* name, const void* function,
                         void (*invoke)(const void*), const void* image, size_t image_bytes,
                         const Arguments<T...>& arguments) {
  return use_kernel(
      [&](const ConvkitSimtKernel& kernel) { return convkit_simt_launch(&kernel, &config); }, name,
      function, invoke, image, image_bytes, arguments);
}

// A kernel whose parameter types are known. `Call` is the generic lambda that calls it by name; it
// is empty when the name is that of a function, and then the kernel can be inlined into `invoke`.
template <class Call, class... P>
class FunctionLauncher {
 public:
  FunctionLauncher(const LaunchConfig& config, const char* name, void (*kernel)(P...))
      : config_(config), name_(name), kernel_(kernel) {}

  void operator()(P... arguments) const { queue(arguments...); }
  cudaError_t queue_copies(P... arguments) const { return queue(arguments...); }

  // The arguments are copied bit for bit.
  cudaError_t queue(P&... arguments) const {
    const Image image{kernel_, Arguments<P...>::of(arguments...)};
    return queue_launch(config_, name_, reinterpret_cast<const void*>(kernel_), &invoke, &image,
                        sizeof image, image.arguments);
  }

  // Calls use(kernel, state) instead of launching it.
  static cudaError_t use(void (*kernel)(P...), ConvkitSimtUseKernel use, void* state,
                         P... arguments) {
    const Image image{kernel, Arguments<P...>::of(arguments...)};
    return use_kernel([&](const ConvkitSimtKernel& described) { return use(&described, state); },
                      nullptr, reinterpret_cast<const void*>(kernel), &invoke, &image, sizeof image,
                      image.arguments);
  }

 private:
  struct Image {
    void (*kernel)(P...);
    Arguments<P...> arguments;
  };

  static void invoke(const void* bytes) {
    const Image& image = *static_cast<const Image*>(bytes);
    if constexpr ((kInRegister<P> && ...)) {
      Arguments<P...>::pass(::convkit::simt::unpacked(image.kernel), image.arguments);
    } else if constexpr ((kHasDuties<P> || ...)) {
      // As the kernel would be called if the caller made and destroyed no copy.
      using ByAddress =
          void (*)(typename std::conditional<kHasDuties<P>, P&, P>::type... parameters);
      Arguments<P...>::apply(
          [&image](P&... p) {
            reinterpret_cast<ByAddress>(image.kernel)(
                static_cast<typename std::conditional<kHasDuties<P>, P&, P&&>::type>(p)...);
          },
          image.arguments);
    } else if constexpr (std::is_empty<Call>::value) {
      const Call& call = *static_cast<const Call*>(bytes);  // it has no state to read
      Arguments<P...>::apply(
          [&call](P & ... p) __attribute__((always_inline)) { call(static_cast<P&&>(p)...); },
          image.arguments);
    } else {
      Arguments<P...>::apply([&image](P&... p) { image.kernel(static_cast<P&&>(p)...); },
                             image.arguments);
    }
  }

  const LaunchConfig& config_;
  const char* name_;
  void (*kernel_)(P...);
};

// The type that a parameter, declared as P, has in the type of its function.
template <class P>
struct InFunction {
  using Type = P;
};
template <class P>
struct InFunction<P* __restrict__> {
  using Type = P*;
};
template <class P>
using OfParameter = typename InFunction<typename std::remove_cv<P>::type>::Type;

// The parameters of a kernel.
template <class... P>
struct Parameters {};
// Nobody can be asked for them.
struct NotAsked {};
template <class... A>
NotAsked not_asked(A&&... arguments);

template <class... P>
struct FunctionOf {
  using Type = void (*)(P...);
};

// Calls one of several kernels of a name, with parameters P. `Choose` is the generic lambda that
// returns that one.
template <class Choose, class... P>
struct CallChosen : Choose {
  template <class... A>
  __attribute__((always_inline)) void operator()(A&&... arguments) const {
    Choose::operator()(FunctionOf<P...>())(static_cast<A&&>(arguments)...);
  }
};

// A kernel of which only a call tells which one is meant: arguments to be deduced, overloads. `Ask`
// is the generic lambda that returns its Parameters for the arguments of a call.
template <class Ask, class Choose, class Fallback>
class ChosenLauncher {
 public:
  ChosenLauncher(const LaunchConfig& config, const char* name, const Ask& ask, const Choose& choose,
                 const Fallback& fallback)
      : config_(config), name_(name), ask_(ask), choose_(choose), fallback_(fallback) {}

  template <class... A>
  void operator()(A&&... arguments) const {
    launch(told<A...>(0), static_cast<A&&>(arguments)...);
  }

  template <class... A>
  static constexpr bool knows() {
    return !std::is_same<decltype(told<A...>(0)), NotAsked>::value;
  }

 private:
  template <class... A>
  static auto told(int) -> decltype(std::declval<const Ask&>()(std::declval<A>()...)) {
    return {};
  }
  template <class... A>
  static NotAsked told(long) {
    return {};
  }

  template <class... P>
  static constexpr auto there_is(int)
      -> std::is_same<decltype(std::declval<const Choose&>()(FunctionOf<P...>())),
                      typename FunctionOf<P...>::Type> {
    return {};
  }
  template <class... P>
  static constexpr bool there_is(long) {
    return false;
  }

  template <class... P, class... A>
  void launch(Parameters<P...>, A&&... arguments) const {
    // Fewer arguments: the call knows the defaults. No such function: the types of parameters have
    // attributes that no function's type has.
    if constexpr (sizeof...(P) == sizeof...(A) && there_is<P...>(0)) {
      using Call = CallChosen<Choose, P...>;
      FunctionLauncher<Call, P...>(config_, name_,
                                   choose_(FunctionOf<P...>()))(static_cast<A&&>(arguments)...);
    } else {
      fallback_(static_cast<A&&>(arguments)...);
    }
  }
  template <class... A>
  void launch(NotAsked, A&&... arguments) const {
    fallback_(static_cast<A&&>(arguments)...);
  }

  const LaunchConfig& config_;
  const char* name_;
  const Ask& ask_;
  const Choose& choose_;
  Fallback fallback_;
};

// A kernel that only a call can name, and nobody can be asked for its parameters. A `Call` that
// holds something must hold copies, because it is kept until the kernel runs.
template <class Call, bool kCopies>
class DeducedLauncher {
 public:
  DeducedLauncher(const LaunchConfig& config, const char* name, const Call& call)
      : config_(config), name_(name), call_(call) {}

  template <class... A>
  void operator()(A&&... arguments) const {
    static_assert(
        std::is_empty<Call>::value || (kCopies && std::is_trivially_copyable<Call>::value),
        "name the kernel's template arguments, or launch through a pointer to it");
    launch<typename std::decay<A>::type...>(held<typename std::decay<A>::type>(arguments)...);
  }

 private:
  // Whether the kernel takes an object with duties as such, or what it converts to, is seen by the
  // thread's call alone; so the object is not copied, nor is a copy destroyed.
  template <class T>
  using Held = typename std::conditional<kHasDuties<T>, T&, T>::type;
  template <class T, class A>
  static Held<T> held(A& argument) {
    if constexpr (kHasDuties<T>) {
      return const_cast<T&>(argument);
    } else {
      return argument;
    }
  }

  template <class... T>
  struct Image {
    Call call;
    Arguments<T...> arguments;
  };

  template <class... T>
  void launch(Held<T>... values) const {
    const Image<T...> image{call_, Arguments<T...>::of(values...)};
    queue_launch(config_, name_, nullptr, &invoke<T...>, &image, sizeof image, image.arguments);
  }

  template <class... T>
  static void invoke(const void* bytes) {
    const auto& image = *static_cast<const Image<T...>*>(bytes);
    Arguments<T...>::apply(image.call, image.arguments);
  }

  const LaunchConfig& config_;
  const char* name_;
  const Call& call_;
};

// Stands for `Call` where the kernel is called through its pointer.
struct ByPointer {
  const void* not_empty;
};

// The name stands for one function where the launch is. A call may still choose another one: a
// template of that name takes more arguments, or is found by the arguments' types. And the call
// knows the default values of arguments that are left out. (Arguments in braces have no types: they
// are for the one function.)
template <class One, class Chosen, size_t kParameters>
class OneOrChosen : public One {
 public:
  OneOrChosen(const One& one, const Chosen& chosen) : One(one), chosen_(chosen) {}

  using One::operator();

  template <class... A, class = typename std::enable_if<Chosen::template knows<A...>() ||
                                                        (sizeof...(A) < kParameters)>::type>
  void operator()(A&&... arguments) const {
    chosen_(static_cast<A&&>(arguments)...);
  }

 private:
  Chosen chosen_;
};

struct Tag {};
struct NotOneFunction {};

template <class... P>
constexpr auto as_kernel(void (*kernel)(P...)) -> void (*)(P...) {
  return kernel;
}

// Chosen when the kernel's name stands for one function. (Of overloads the type is not deduced;
// parameters would be: as none.)
template <class Function>
constexpr auto kernel_pointer(Tag, Function* kernel) -> decltype(as_kernel(kernel)) {
  return kernel;
}

template <class Call, class Chosen, class... P>
OneOrChosen<FunctionLauncher<Call, P...>, Chosen, sizeof...(P)> launcher_for(
    const LaunchConfig& config, const char* name, void (*kernel)(P...), const Call&,
    const Chosen& chosen) {
  return {FunctionLauncher<Call, P...>(config, name, kernel), chosen};
}

// `kCopies`: the lambdas hold copies of what they have captured.
template <bool kCopies, class Resolve, class Call, class Ask, class Choose>
auto launcher(const LaunchConfig& config, const char* name, const Resolve& resolve,
              const Call& call, const Ask& ask, const Choose& choose) {
#if defined(__cpp_concepts)
  constexpr bool kOneFunction = !std::is_same<decltype(resolve(Tag{})), NotOneFunction>::value;
#else
  constexpr bool kOneFunction = std::is_invocable<const Resolve&, Tag>::value;
#endif
  using Deduced = DeducedLauncher<Call, kCopies>;
  const ChosenLauncher<Ask, Choose, Deduced> chosen(config, name, ask, choose,
                                                    Deduced(config, name, call));
  if constexpr (kOneFunction) {
    return launcher_for(config, name, resolve(Tag{}), call, chosen);
  } else {
    (void)resolve;
    return chosen;
  }
}

#if !defined(CONVKIT_SIMT_ENGINE)
// One for each translation unit with device code.
static const char object_anchor =
    (convkit_simt_register_object(&object_anchor, __start_convkit_managed_memory,
                                  __stop_convkit_managed_memory),
     '\0');
#endif

}  // namespace convkit::simt

#define CONVKIT_SIMT_TEXT(text) (::convkit_simt_original_text(text))
#define CONVKIT_SIMT_UNPAREN(...) __VA_ARGS__
#define CONVKIT_SIMT_LAUNCH(kernel, config) \
  CONVKIT_SIMT_LAUNCH_WITH(kernel, #kernel, ::convkit::simt::LaunchConfig config)
// `kernel` ends with template arguments. These may be constants of the function around: they are
// copied, as g++ 12 needs inside of a lambda. (Since g++ 13, such a name in the type that a lambda
// is declared to return is an error there: where there are concepts, they ask in the body.)
#define CONVKIT_SIMT_TEMPLATE_LAUNCH(kernel, config)                                      \
  CONVKIT_SIMT_LAUNCH_CAPTURING(=, kernel, #kernel, ::convkit::simt::LaunchConfig config, \
                                (::convkit::simt::not_asked))
// `bound`: the constant that the rewriter made of the kernel's __launch_bounds__, or 0. `ask`: the
// function that it has put beside each kernel of that name.
#define CONVKIT_SIMT_KNOWN_LAUNCH(kernel, config, bound, ask)                                  \
  CONVKIT_SIMT_LAUNCH_CAPTURING(&, kernel, #kernel,                                            \
                                ::convkit::simt::bounded(::convkit::simt::LaunchConfig config, \
                                                         bound),                               \
                                ask)
#define CONVKIT_SIMT_KNOWN_TEMPLATE_LAUNCH(kernel, config, bound, ask)                           \
  CONVKIT_SIMT_LAUNCH_CAPTURING(                                                                 \
      =, kernel, #kernel, ::convkit::simt::bounded(::convkit::simt::LaunchConfig config, bound), \
      ask)
#define CONVKIT_SIMT_LAUNCH_WITH(kernel, name, config) \
  CONVKIT_SIMT_LAUNCH_CAPTURING(&, kernel, name, config, (::convkit::simt::not_asked))
#if defined(__cpp_concepts)
#define CONVKIT_SIMT_RESOLVE(kernel)                                                           \
  (auto convkit_tag) {                                                                         \
    if constexpr (requires {                                                                   \
                    ::convkit::simt::kernel_pointer(convkit_tag, CONVKIT_SIMT_UNPAREN kernel); \
                  }) {                                                                         \
      return ::convkit::simt::kernel_pointer(convkit_tag, CONVKIT_SIMT_UNPAREN kernel);        \
    } else {                                                                                   \
      return ::convkit::simt::NotOneFunction{};                                                \
    }                                                                                          \
  }
#define CONVKIT_SIMT_CALL(kernel)                      \
  (auto&&... convkit_arguments) {                      \
    CONVKIT_SIMT_UNPAREN kernel(convkit_arguments...); \
  }
#define CONVKIT_SIMT_ASK(ask)                                                            \
  (auto&&... convkit_arguments) {                                                        \
    if constexpr (requires {                                                             \
                    CONVKIT_SIMT_UNPAREN ask(                                            \
                        static_cast<decltype(convkit_arguments)>(convkit_arguments)...); \
                  }) {                                                                   \
      return decltype(CONVKIT_SIMT_UNPAREN ask(                                          \
          static_cast<decltype(convkit_arguments)>(convkit_arguments)...))();            \
    } else {                                                                             \
      return ::convkit::simt::NotAsked();                                                \
    }                                                                                    \
  }
#define CONVKIT_SIMT_CHOOSE(kernel)                                                          \
  (auto convkit_function) {                                                                  \
    using ConvkitFunction = typename decltype(convkit_function)::Type;                       \
    if constexpr (requires { static_cast<ConvkitFunction>(CONVKIT_SIMT_UNPAREN kernel); }) { \
      return static_cast<ConvkitFunction>(CONVKIT_SIMT_UNPAREN kernel);                      \
    } else {                                                                                 \
      return ::convkit::simt::NotOneFunction{};                                              \
    }                                                                                        \
  }
#else
#define CONVKIT_SIMT_RESOLVE(kernel)                                                          \
  (auto convkit_tag)                                                                          \
      ->decltype(::convkit::simt::kernel_pointer(convkit_tag, CONVKIT_SIMT_UNPAREN kernel)) { \
    return ::convkit::simt::kernel_pointer(convkit_tag, CONVKIT_SIMT_UNPAREN kernel);         \
  }
#define CONVKIT_SIMT_CALL(kernel)                                           \
  (auto&&... convkit_arguments)                                             \
      ->decltype(void(CONVKIT_SIMT_UNPAREN kernel(convkit_arguments...))) { \
    CONVKIT_SIMT_UNPAREN kernel(convkit_arguments...);                      \
  }
#define CONVKIT_SIMT_ASK(ask)                                                \
  (auto&&... convkit_arguments)                                              \
      ->decltype(CONVKIT_SIMT_UNPAREN ask(                                   \
          static_cast<decltype(convkit_arguments)>(convkit_arguments)...)) { \
    return {};                                                               \
  }
#define CONVKIT_SIMT_CHOOSE(kernel)                                                             \
  (auto convkit_function)                                                                       \
      ->decltype(static_cast<typename decltype(convkit_function)::Type>(                        \
          CONVKIT_SIMT_UNPAREN kernel)) {                                                       \
    return static_cast<typename decltype(convkit_function)::Type>(CONVKIT_SIMT_UNPAREN kernel); \
  }
#endif
#define CONVKIT_SIMT_LAUNCH_CAPTURING(capture, kernel, name, config, ask)                        \
  ::convkit::simt::launcher<#capture[0] == '='>(                                                 \
      config, name, [capture] CONVKIT_SIMT_RESOLVE(kernel), [capture] CONVKIT_SIMT_CALL(kernel), \
      [capture] CONVKIT_SIMT_ASK(ask), [capture] CONVKIT_SIMT_CHOOSE(kernel))

namespace convkit::simt {

template <class... P>
inline cudaError_t launch_by_address(const LaunchConfig& config, void (*kernel)(P...),
                                     void** arguments) {
  const FunctionLauncher<ByPointer, P...> launcher(config, nullptr, kernel);
  cudaError_t error = cudaSuccess;
  ArgumentArray<P...>::call([&](P&... values) { error = launcher.queue(values...); }, arguments);
  return error;
}

// A kernel whose address becomes a `void*`: the rewriter writes `kernel_type->*kernel` for
// `(void*)kernel`. The engine keeps its type, for cudaGraphAddKernelNode() and its like.
struct KernelType {};
static const KernelType kernel_type{};

template <class... P>
inline void* operator->*(const KernelType&, void (*kernel)(P...)) {
  convkit_simt_kernel_type(
      reinterpret_cast<const void*>(kernel),
      [](const void* function, void** arguments, ConvkitSimtUseKernel use, void* state) {
        cudaError_t error = cudaSuccess;
        ArgumentArray<P...>::call(
            [&](P&... values) {
              error = FunctionLauncher<ByPointer, P...>::use(
                  reinterpret_cast<void (*)(P...)>(const_cast<void*>(function)), use, state,
                  values...);
            },
            arguments);
        return error;
      });
  return reinterpret_cast<void*>(kernel);
}
// Of another pointer: the cast is what it was.
template <class T>
inline void* operator->*(const KernelType&, T* pointer) {
  return (void*)pointer;
}

}  // namespace convkit::simt

// The kernel's type must be known. (The rewriter drops a cast in the call.)
#define CONVKIT_SIMT_KERNEL_TYPE                                                                 \
  "a launch of a kernel that was cast to void* before is not supported on the CPU device; name " \
  "the kernel in the call, or keep a pointer of the kernel's own type"
CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_KERNEL_TYPE)
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr);
template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                    CONVKIT_SIMT_SITE) {
  return convkit::simt::launch_by_address({grid, block, shared_bytes, stream, CONVKIT_SIMT_AT},
                                          kernel, arguments);
}

// The blocks of such a launch can wait for each other, with cooperative_groups::this_grid().sync().
// More of them than are resident at once (cudaOccupancyMaxActiveBlocksPerMultiprocessor() on each
// multiprocessor) give cudaErrorCooperativeLaunchTooLarge.
CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_KERNEL_TYPE)
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = nullptr);
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                               void** arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = nullptr, CONVKIT_SIMT_SITE) {
  convkit::simt::LaunchConfig config(grid, block, shared_bytes, stream, CONVKIT_SIMT_AT);
  config.cooperative = 1;
  return convkit::simt::launch_by_address(config, kernel, arguments);
}
