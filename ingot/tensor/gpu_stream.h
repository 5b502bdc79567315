// The stream of a GPU device: what operators use. They launch kernels on tensors by name and never see which driver
// runs them:
//
//   gpu::stream(x.device()).launch("softmax_rows", {x.dtype()}, {{0, double(log)}}, {rows}, {256}, x, y,
//   SoftmaxParams{...});
//
// A kernel's host name is the base name and the short names of the dtypes, joined by "_". Arguments stand in the order
// of the kernel's buffer indices, then of its threadgroup indices:
//   a tensor              its memory from the first element on; an undefined one counts as gpu::none
//   a plain struct        bytes of the launch (constant T&)
//   gpu::none             a buffer that may be absent
//   gpu::Threadgroup{n}   n bytes of threadgroup memory
//   gpu::errors("...")    an ErrorSlot (ingot/msl/errors.h). The first report becomes an Error with that text, {a} and
//                         {b} replaced, at the next synchronize() or download; the stream works on.
//
// One in-order stream a device; enqueueing is thread-safe and does not wait.
#pragma once
#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/device/gpu/allocator.h"
#include "ingot/device/gpu/driver.h"
#include "ingot/tensor/tensor.h"

namespace ingot::gpu {

struct None {};
inline constexpr None none;

struct Threadgroup {
  size_t bytes;
};

struct Errors {
  std::string_view text;  // "gather: index {a} is outside [0, {b})"
  ErrorKind kind = ErrorKind::kIndex;
};
inline Errors errors(std::string_view text) { return {text}; }

// One argument of a launch. Holds no copy: made for the call.
class Argument {
 public:
  enum class Kind : uint8_t { kTensor, kValue, kNone, kThreadgroup, kErrors };
  Argument(const Tensor& t) : kind_(t.defined() ? Kind::kTensor : Kind::kNone), tensor_(&t) {}  // NOLINT: implicit
  Argument(None) : kind_(Kind::kNone) {}                                                        // NOLINT
  Argument(Threadgroup t) : kind_(Kind::kThreadgroup), bytes_(t.bytes) {}                       // NOLINT
  Argument(const Errors& e) : kind_(Kind::kErrors), errors_(&e) {}                              // NOLINT
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>) Argument(const T& value)
      : kind_(Kind::kValue), value_(&value), bytes_(sizeof(T)) {}  // NOLINT

 private:
  friend class Stream;
  Kind kind_;
  const Tensor* tensor_ = nullptr;
  const Errors* errors_ = nullptr;
  const void* value_ = nullptr;
  size_t bytes_ = 0;
};

// Launches and copies that a capture recorded. Keeps their tensors alive.
class INGOT_API Captured {
 public:
  size_t launches() const { return recording_->launches(); }

 private:
  friend class Stream;
  std::unique_ptr<Recording> recording_;
  std::vector<std::shared_ptr<Storage>> used_, written_;
  bool reports_errors_ = false;
};

class INGOT_API Stream {
 public:
  explicit Stream(Driver& driver);  // for stream() and tests
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Device device() const { return driver_.device(); }
  Driver& driver() { return driver_; }

  // No groups: nothing is run. Error kArgument, naming kernel and argument, where an argument is missing, too many, of
  // the wrong kind, on another device, misaligned for its dtype or read-only memory that the kernel writes; for threads
  // that are no multiple of 32 or above the kernel's maximum; for a grid above 65535 in y or z.
  template <class... Args>
  void launch(std::string_view kernel, std::initializer_list<DType> dtypes, std::initializer_list<Constant> constants,
              Size groups, Size threads, const Args&... args) {
    launch_arguments(kernel, {dtypes.begin(), dtypes.size()}, {constants.begin(), constants.size()}, groups, threads,
                     std::array<Argument, sizeof...(Args)>{Argument(args)...});
  }

  // Whole tensors, contiguous and of equal bytes; nothing is converted.
  void upload(const void* from, const Tensor& to);
  void copy(const Tensor& from, const Tensor& to);
  void fill(const Tensor& to, uint8_t byte);
  // Bytes of a storage, after everything that was enqueued; throws what synchronize() would.
  void download(const Storage& from, size_t offset, void* to, size_t bytes);

  // Waits. Throws what went wrong since the last call: the driver's error, or the first that a kernel reported.
  void synchronize();

  // What `record` enqueues on this thread, without running it. Its uploads, downloads and synchronisations are an Error
  // kState. If `record` throws, nothing stays recorded. Tensors made meanwhile live as long as the result.
  std::shared_ptr<const Captured> capture(const std::function<void()>& record);
  void replay(const Captured& captured);
  bool capturing() const { return capture_of_this_thread() != nullptr; }

 private:
  struct Reporter {  // one ErrorSlot: all launches of one text share it, also those of captures
    std::string text;
    ErrorKind kind;
  };
  void launch_arguments(std::string_view kernel, std::span<const DType> dtypes, std::span<const Constant> constants,
                        Size groups, Size threads, std::span<const Argument> arguments);
  Binding bind_buffer(const Kernel& kernel, const msl::KernelParameter& parameter, const Argument& argument);
  Slice slot_of(const Errors& errors);
  void throw_reported_errors();
  void note(const Tensor& t, bool written);
  Captured* capture_of_this_thread() const;

  Driver& driver_;
  std::mutex mutex_;  // of the reporters
  std::unique_ptr<Memory> slots_;
  std::vector<Reporter> reporters_;
  bool may_have_errors_ = false;
};

// The stream of a GPU device, made on first use and kept. Errors as driver().
INGOT_API Stream& stream(Device device);

}  // namespace ingot::gpu
