#include "ingot/tensor/gpu_stream.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace ingot::gpu {

namespace {

// As kernels see it: ingot/msl/errors.h.
struct Report {
  uint32_t count, code, a_low, a_high, b_low, b_high;
  int64_t a() const { return int64_t(uint64_t(a_high) << 32 | a_low); }
  int64_t b() const { return int64_t(uint64_t(b_high) << 32 | b_low); }
};
constexpr size_t kSlots = 256;

thread_local Stream* capturing_stream = nullptr;
thread_local Captured* current_capture = nullptr;

std::string host_name(std::string_view kernel, std::span<const DType> dtypes) {
  std::string s(kernel);
  for (DType t : dtypes) s.append("_").append(name(t));
  return s;
}

std::string filled_in(std::string text, std::string_view hole, int64_t value) {
  for (size_t at; (at = text.find(hole)) != std::string::npos;) text.replace(at, hole.size(), cat(value));
  return text;
}

std::string described(const msl::KernelParameter& p) {
  return cat(p.kind == msl::ParameterKind::kThreadgroup ? "threadgroup memory " : "buffer ", p.index, " (", p.name,
             ")");
}

std::string text_of(Size s) { return cat("(", s.x, ", ", s.y, ", ", s.z, ")"); }

void check_sizes(const Kernel& kernel, Size groups, Size threads) {
  const std::string& where = kernel.signature().host_name;
  uint64_t n = uint64_t(threads.x) * threads.y * threads.z;
  if (n == 0 || n % 32 != 0 || n > uint64_t(kernel.max_threads()))
    fail_argument(where, "threads of a group", cat("a multiple of 32, at most ", kernel.max_threads()),
                  text_of(threads));
  if (groups.y > 65535 || groups.z > 65535) fail_argument(where, "groups", "at most 65535 in y and z", text_of(groups));
}

// Buffers by index, then threadgroup memory by index: the order of the arguments.
std::vector<const msl::KernelParameter*> in_argument_order(const msl::KernelSignature& signature) {
  std::vector<const msl::KernelParameter*> parameters;
  for (const msl::KernelParameter& p : signature.parameters)
    if (p.kind != msl::ParameterKind::kBuiltin) parameters.push_back(&p);
  std::sort(parameters.begin(), parameters.end(), [](const auto* a, const auto* b) {
    bool a_last = a->kind == msl::ParameterKind::kThreadgroup, b_last = b->kind == msl::ParameterKind::kThreadgroup;
    return a_last != b_last ? b_last : a->index < b->index;
  });
  return parameters;
}

void check_whole(const char* op, const Tensor& t, size_t bytes) {
  if (!t.is_contiguous() || size_t(t.nbytes()) != bytes)
    fail_argument(op, "tensor", cat("a contiguous one of ", bytes, " bytes"),
                  cat("sizes ", t.sizes(), ", strides ", t.strides(), " of ", t.dtype()));
}
void check_writable(std::string_view op, std::string_view what, const Tensor& t) {
  if (t.storage()->read_only()) fail(ErrorKind::kArgument, op, cat(what, " is read-only memory (a mapped file)"));
}

Slice slice_of(const Tensor& t) {
  Slice s = t.storage()->slice();
  s.offset += size_t(t.byte_offset());
  return s;
}

}  // namespace

Stream::Stream(Driver& driver) : driver_(driver), slots_(driver.allocate(kSlots * sizeof(Report))) {
  driver_.fill({slots_.get(), 0}, 0, kSlots * sizeof(Report));
}

Captured* Stream::capture_of_this_thread() const { return capturing_stream == this ? current_capture : nullptr; }

// What a launch touches: kept alive by a capture, counted up if written.
void Stream::note(const Tensor& t, bool written) {
  Captured* captured = capture_of_this_thread();
  if (!captured) {
    if (written) t.storage()->bump_version();
    return;
  }
  auto add = [&](std::vector<std::shared_ptr<Storage>>& list) {
    if (std::find(list.begin(), list.end(), t.storage()) == list.end()) list.push_back(t.storage());
  };
  add(captured->used_);
  if (written) add(captured->written_);
}

Slice Stream::slot_of(const Errors& errors) {
  std::lock_guard lock(mutex_);
  auto it =
      std::find_if(reporters_.begin(), reporters_.end(), [&](const Reporter& r) { return r.text == errors.text; });
  size_t slot = size_t(it - reporters_.begin());
  if (it == reporters_.end()) {
    if (slot == kSlots) fail(ErrorKind::kState, errors.text, cat("more than ", kSlots, " texts of errors"));
    reporters_.push_back({std::string(errors.text), errors.kind});
  }
  Captured* captured = capture_of_this_thread();
  (captured ? captured->reports_errors_ : may_have_errors_) = true;
  return {slots_.get(), slot * sizeof(Report)};
}

// Without memory for an optional buffer that is absent.
Binding Stream::bind_buffer(const Kernel& kernel, const msl::KernelParameter& p, const Argument& a) {
  const std::string& where = kernel.signature().host_name;
  Binding b{Binding::Kind::kSlice, p.index, p.written, {}, nullptr, 0};
  if (a.kind_ == Argument::Kind::kErrors) {
    b.slice = slot_of(*a.errors_);
    b.bytes = sizeof(Report);
  } else if (a.kind_ == Argument::Kind::kTensor) {
    const Tensor& t = *a.tensor_;
    if (t.device() != device()) fail_argument(where, described(p), cat("a tensor on ", device()), cat(t.device()));
    if (t.byte_offset() % int64_t(itemsize(t.dtype())) != 0)
      fail_argument(where, described(p), cat("a byte offset that ", t.dtype(), " is aligned at"), cat(t.byte_offset()));
    if (p.written) check_writable(where, described(p), t);
    b.bytes = t.storage()->bytes() - size_t(t.byte_offset());
    b.slice = b.bytes ? slice_of(t) : Slice{slots_.get(), 0};  // no elements: some address that nothing is read from
  } else if (a.kind_ != Argument::Kind::kNone) {
    fail_argument(where, described(p), "a tensor",
                  a.kind_ == Argument::Kind::kValue ? "a value" : "threadgroup memory");
  } else if (p.optional_if.empty()) {
    fail_argument(where, described(p), "a tensor", "none");
  }
  return b;
}

void Stream::launch_arguments(std::string_view base, std::span<const DType> dtypes, std::span<const Constant> constants,
                              Size groups, Size threads, std::span<const Argument> arguments) {
  const Kernel& kernel = driver_.kernel(host_name(base, dtypes), constants);
  const std::string& where = kernel.signature().host_name;
  check_sizes(kernel, groups, threads);
  std::vector<const msl::KernelParameter*> parameters = in_argument_order(kernel.signature());
  if (parameters.size() != arguments.size())
    fail_argument(where, "arguments", cat(parameters.size()), cat(arguments.size()));
  std::vector<Binding> bindings;
  bindings.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); i++) {
    const msl::KernelParameter& p = *parameters[i];
    const Argument& a = arguments[i];
    if (p.kind == msl::ParameterKind::kPointer) {
      Binding b = bind_buffer(kernel, p, a);
      if (b.slice.memory) bindings.push_back(b);
      continue;
    }
    bool is_value = p.kind == msl::ParameterKind::kValue;
    if (a.kind_ != (is_value ? Argument::Kind::kValue : Argument::Kind::kThreadgroup))
      fail_argument(where, described(p), is_value ? "a value" : "gpu::Threadgroup", "another argument");
    bindings.push_back(
        {is_value ? Binding::Kind::kValue : Binding::Kind::kThreadgroup, p.index, false, {}, a.value_, a.bytes_});
  }
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  driver_.launch({&kernel, groups, threads, bindings});
  for (size_t i = 0; i < arguments.size(); i++)
    if (arguments[i].kind_ == Argument::Kind::kTensor) note(*arguments[i].tensor_, parameters[i]->written);
}

void Stream::upload(const void* from, const Tensor& to) {
  check_whole("upload", to, size_t(to.nbytes()));
  check_writable("upload", "the tensor", to);
  if (to.numel() == 0) return;
  driver_.upload(from, slice_of(to), size_t(to.nbytes()));
  note(to, true);
}

void Stream::copy(const Tensor& from, const Tensor& to) {
  check_whole("copy", to, size_t(to.nbytes()));
  check_whole("copy", from, size_t(to.nbytes()));
  check_writable("copy", "the tensor", to);
  if (to.numel() == 0) return;
  driver_.copy(slice_of(from), slice_of(to), size_t(to.nbytes()));
  note(from, false);
  note(to, true);
}

void Stream::fill(const Tensor& to, uint8_t byte) {
  check_whole("fill", to, size_t(to.nbytes()));
  check_writable("fill", "the tensor", to);
  if (to.numel() == 0) return;
  driver_.fill(slice_of(to), byte, size_t(to.nbytes()));
  note(to, true);
}

void Stream::download(const Storage& from, size_t offset, void* to, size_t bytes) {
  if (offset > from.bytes() || bytes > from.bytes() - offset)
    fail_argument("download", "range", cat("inside ", from.bytes(), " bytes"), cat(bytes, " from ", offset));
  if (bytes == 0) return;
  Slice s = from.slice();
  s.offset += offset;
  driver_.download(s, to, bytes);
  throw_reported_errors();
}

void Stream::synchronize() {
  if (capturing()) fail(ErrorKind::kState, name(device()), "synchronize: not inside a capture");
  driver_.synchronize();
  throw_reported_errors();
}

void Stream::throw_reported_errors() {
  std::lock_guard lock(mutex_);
  if (!may_have_errors_) return;
  may_have_errors_ = false;
  std::vector<Report> reports(reporters_.size());
  driver_.download({slots_.get(), 0}, reports.data(), reports.size() * sizeof(Report));
  const auto first = std::find_if(reports.begin(), reports.end(), [](const Report& r) { return r.count > 0; });
  if (first == reports.end()) return;
  driver_.fill({slots_.get(), 0}, 0, reports.size() * sizeof(Report));
  const Reporter& reporter = reporters_[size_t(first - reports.begin())];
  throw Error(reporter.kind, filled_in(filled_in(reporter.text, "{a}", first->a()), "{b}", first->b()));
}

std::shared_ptr<const Captured> Stream::capture(const std::function<void()>& record) {
  if (capturing_stream) fail(ErrorKind::kState, "capture", "a capture is under way on this thread");
  auto captured = std::make_shared<Captured>();
  driver_.begin_recording();
  struct End {
    Driver& driver;
    bool recording = true;
    ~End() {
      capturing_stream = nullptr;
      current_capture = nullptr;
      if (recording) driver.cancel_recording();
    }
  } end{driver_};
  capturing_stream = this;
  current_capture = captured.get();
  record();
  end.recording = false;
  captured->recording_ = driver_.end_recording();
  return captured;
}

void Stream::replay(const Captured& captured) {
  driver_.replay(*captured.recording_);
  for (const auto& storage : captured.written_) storage->bump_version();
  if (captured.reports_errors_) {
    std::lock_guard lock(mutex_);
    may_have_errors_ = true;
  }
}

Stream& stream(Device device) {
  static auto* mutex = new std::mutex;  // never destroyed: see driver()
  static auto* streams = new std::map<std::pair<int, int>, std::unique_ptr<Stream>>;
  std::lock_guard lock(*mutex);
  std::unique_ptr<Stream>& s = (*streams)[{int(device.kind), device.index}];
  if (!s) s = std::make_unique<Stream>(driver(device));
  return *s;
}

}  // namespace ingot::gpu
