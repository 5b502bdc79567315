// The contract between the simulator's text of a kernel and the simulator's run time (ingot/device/sim/).
// Translated text includes this through msl_cpu.h; hosts use ingot/device/sim/sim.h.
#pragma once
#include <cstddef>
#include <cstdint>

#define MSL_SIM_API __attribute__((visibility("default")))  // kernels compiled at run time link against the library

namespace msl_sim {

struct Size {
  uint32_t x = 1, y = 1, z = 1;
};

// A place in a .metal file: as a default argument, Where::here() is the caller's.
struct Where {
  const char* file;
  int line;
  static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

// A function constant's value. The kernel's text asks `set` for each constant it declares; that is how the simulator
// finds one which the launch forgot.
struct FunctionConstant {
  class Set {
   public:
    operator bool() const {
      asked_ = true;
      return set_;
    }

   private:
    friend struct FunctionConstant;
    mutable bool asked_ = false;
    bool set_ = false;
  };
  Set set;
  double v = 0;
  void assign(double value) {
    set.set_ = true;
    v = value;
  }
  bool missing() const { return set.asked_ && !set.set_; }
};

// A launch's arguments. Buffers may be bound to null (an absent optional one); one that was never bound is an error.
struct Args {
  static constexpr int kBuffers = 31, kThreadgroup = 8, kConstants = 64;
  void* buf[kBuffers] = {};
  size_t bytes[kBuffers] = {};
  bool bound[kBuffers] = {};
  size_t tg_bytes[kThreadgroup] = {};
  FunctionConstant fc[kConstants];

  void bind(int index, const void* data, size_t size) {
    buf[index] = const_cast<void*>(data);
    bytes[index] = size;
    bound[index] = true;
  }
};

// What one GPU thread may ask about its position.
struct Group {
  Size position, size, count;  // this group's position; threads of a group; groups of the grid
};
struct Builtins {
  const Group* group;
  Size thread;  // within the group
  uint32_t linear;

  Size pos() const { return thread; }
  Size tg_pos() const { return group->position; }
  Size tg_size() const { return group->size; }
  Size tg_count() const { return group->count; }
  Size grid_pos() const {
    const Group& g = *group;
    return {g.position.x * g.size.x + thread.x, g.position.y * g.size.y + thread.y, g.position.z * g.size.z + thread.z};
  }
  Size grid_size() const {
    const Group& g = *group;
    return {g.count.x * g.size.x, g.count.y * g.size.y, g.count.z * g.size.z};
  }
  uint32_t index() const { return linear; }
  uint32_t lane() const { return linear % 32; }
  uint32_t sg() const { return linear / 32; }
  uint32_t nsg() const { return group->size.x * group->size.y * group->size.z / 32; }
  uint32_t sgw() const { return 32; }
  MSL_SIM_API void* tg_arg(int index) const;
};

// ---- registration
// kPointer: device T*, device T& or constant T*; bytes and alignment are those of one T.  kValue: constant T&; the
// launch brings exactly `bytes` bytes.  kThreadgroup: threadgroup T* [[threadgroup(index)]].
enum class ParamKind { kPointer, kValue, kThreadgroup };
struct Param {
  const char* name;
  ParamKind kind;
  int index;
  bool written, optional;
  size_t bytes, alignment;
};
typedef void (*Call)(const Args&, const Builtins&);  // one GPU thread
typedef void (*SetConstants)(const Args&);
struct MSL_SIM_API Register {
  Register(const char* name, Call call, SetConstants set_constants, uint32_t max_threads, const Param* params = nullptr,
           int param_count = 0);
  ~Register();
  Register(const Register&) = delete;
  Register& operator=(const Register&) = delete;

  const char* name;
  Call call;
  SetConstants set_constants;
  uint32_t max_threads;
  const Param* params;
  int param_count;
};

// ---- threadgroup memory of the running group
template <class T>
using id_t = T;  // id_t<float>[32] is a type where float[32] would be an expression
MSL_SIM_API void* tg_alloc(int id, size_t bytes, size_t alignment, Where where);
template <class T>
inline T& tg_var(int id, Where where = Where::here()) {
  return *static_cast<T*>(tg_alloc(id, sizeof(T), alignof(T), where));
}

// ---- operations of many threads
// Waits for the whole group; orders memory unless the flags were mem_none.
MSL_SIM_API void barrier(bool orders_memory, Where where);
// Waits for the 32 lanes of the caller's simdgroup; the last to arrive runs together(data of lanes 0 .. 31), where it
// may write to every lane's data. `what` names the operation in messages.
typedef void (*Together)(void* const* lanes);
MSL_SIM_API void simd_op(const char* what, bool orders_memory, void* data, Together together, Where where);
MSL_SIM_API uint32_t lane_id();
// The work of tile_multiply_add (msl_cpu_tile.h): lane l holds row l / 2, columns 8 * (l % 2) .. + 7, of each tile.
struct TileLane {
  const float *a, *b;
  float* c;
};
MSL_SIM_API void multiply_tiles(void* const* lanes);
// Ends the dispatch with an Error of the kernel's name, the place and the message.
[[noreturn]] MSL_SIM_API void fail(const char* message, Where where);

}  // namespace msl_sim
