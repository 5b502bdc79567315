#include "ingot/device/cuda/cublaslt.h"

#include <algorithm>
#include <bit>

#include "ingot/base/error.h"
#include "ingot/device/cuda/library.h"

namespace ingot::cuda {
namespace {

constexpr size_t kMostPlans = 256;

LtApi bind_all(Library& lt) {
  LtApi api{};
  lt.bind(api.status_text, "cublasLtGetStatusString");
  lt.bind(api.create, "cublasLtCreate");
  lt.bind(api.destroy, "cublasLtDestroy");
  lt.bind(api.desc_create, "cublasLtMatmulDescCreate");
  lt.bind(api.desc_destroy, "cublasLtMatmulDescDestroy");
  lt.bind(api.desc_set, "cublasLtMatmulDescSetAttribute");
  lt.bind(api.layout_create, "cublasLtMatrixLayoutCreate");
  lt.bind(api.layout_destroy, "cublasLtMatrixLayoutDestroy");
  lt.bind(api.layout_set, "cublasLtMatrixLayoutSetAttribute");
  lt.bind(api.preference_create, "cublasLtMatmulPreferenceCreate");
  lt.bind(api.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  lt.bind(api.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  lt.bind(api.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  lt.bind(api.matmul, "cublasLtMatmul");
  return api;
}

struct Opened {
  LtApi api{};
  std::string path, error;

  Opened() {
    Library lt(library_paths("INGOT_CUBLASLT_LIBRARY",
                             {"libcublasLt.so.13", "libcublasLt.so.12", "/usr/local/cuda/lib64/libcublasLt.so.13",
                              "/usr/local/cuda/lib64/libcublasLt.so.12"}));
    path = lt.path();
    if (!lt.opened()) {
      error = "cuBLASLt cannot be opened: libcublasLt.so was not found";
      return;
    }
    api = bind_all(lt);
    if (!lt.missing().empty()) error = cat(path, " is too old: it lacks ", lt.missing());
  }
};

const Opened& opened() {
  static const Opened once;
  return once;
}

int type_code(DType type) {
  switch (type) {
    case DType::kF32:
      return kLtF32;
    case DType::kF16:
      return kLtF16;
    case DType::kBF16:
      return kLtBF16;
    default:
      fail(ErrorKind::kUnsupported, "cublaslt", cat("matmul of ", type, ": f32, f16 and bf16 are supported"));
  }
}

// The bytes that an address is a multiple of, as far as algorithms care.
uint32_t alignment(Address address) { return uint32_t{1} << std::min(std::countr_zero(address | 256), 8); }

void check(const LtApi& api, int status, std::string_view doing) {
  if (status == 0) return;
  fail(status == kLtNotSupported ? ErrorKind::kUnsupported : ErrorKind::kDevice, "cublaslt",
       cat(doing, ": ", api.status_text(status), " (", status, ")"));
}

// One of the library's descriptions.
template <class T>
class Owned {
 public:
  explicit Owned(int (*destroy)(T)) : destroy_(destroy) {}
  ~Owned() {
    if (value_) destroy_(value_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T get() const { return value_; }
  T* out() { return &value_; }

 private:
  T value_ = nullptr;
  int (*destroy_)(T);
};

}  // namespace

void check_problem(const Matmul& p) {
  const auto need = [](bool good, std::string_view what, std::string_view expected, int64_t got) {
    if (!good) fail_argument("cublaslt matmul", what, expected, cat(got));
  };
  for (const int64_t size : {p.m, p.n, p.k, p.batch}) need(size >= 1, "m, n, k, batch", "at least 1", size);
  need(p.lda >= (p.transpose_a ? p.m : p.k), "lda", "at least the length of a row of a", p.lda);
  need(p.ldb >= (p.transpose_b ? p.k : p.n), "ldb", "at least the length of a row of b", p.ldb);
  need(p.ldc >= p.n, "ldc", "at least n", p.ldc);
  for (const int64_t stride : {p.stride_a, p.stride_b, p.stride_c}) need(stride >= 0, "strides", "no negative", stride);
  if (p.result != p.type && p.result != DType::kF32) {
    fail_argument("cublaslt matmul", "result", cat("f32 or ", p.type), cat(p.result));
  }
}

const LtApi* cublaslt_api(std::string* why) {
  if (opened().error.empty()) return &opened().api;
  if (why) *why = opened().error;
  return nullptr;
}

Availability cublaslt_availability() {
  if (opened().error.empty()) return {true, cat("cuBLASLt: ", opened().path), ""};
  return {
      false, opened().error,
      "install it with the CUDA toolkit, Debian's libcublaslt12 or pip install nvidia-cublas; INGOT_CUBLASLT_LIBRARY "
      "can name the file"};
}

// The library counts by columns: what is stored by rows it sees transposed. So it is asked for the transposed product,
// c' = b' a', and its A is Ingot's b.
struct CublasLt::Plan {
  Plan(const LtApi& lt, LtHandle handle, const Key& key)
      : api(lt), desc(lt.desc_destroy), a(lt.layout_destroy), b(lt.layout_destroy), c(lt.layout_destroy) {
    const Matmul& p = key.problem;
    const int type = type_code(p.type);
    check(api, api.desc_create(desc.out(), kLtCompute32F, kLtF32), "describing a product");
    if (p.transpose_b) set(kLtTransposeA, kLtTranspose);
    if (p.transpose_a) set(kLtTransposeB, kLtTranspose);
    layout(a, type, p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k, p.lda, p.batch, p.stride_a);
    layout(b, type, p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n, p.ldb, p.batch, p.stride_b);
    layout(c, type_code(p.result), p.m, p.n, p.ldc, p.batch, p.stride_c);
    choose(handle, key);
  }

  void set(int attribute, int32_t value) {
    check(api, api.desc_set(desc.get(), attribute, &value, sizeof value), "describing a product");
  }
  void layout(Owned<LtLayout>& matrix, int type, int64_t rows, int64_t columns, int64_t row_stride, int64_t batch,
              int64_t stride) const {
    check(api, api.layout_create(matrix.out(), type, uint64_t(columns), uint64_t(rows), row_stride),
          "describing a matrix");
    if (batch == 1) return;
    const auto count = int32_t(batch);
    check(api, api.layout_set(matrix.get(), kLtBatchCount, &count, sizeof count), "describing a batch");
    check(api, api.layout_set(matrix.get(), kLtBatchStride, &stride, sizeof stride), "describing a batch");
  }
  void choose(LtHandle handle, const Key& key) {
    Owned<LtPreference> preference(api.preference_destroy);
    check(api, api.preference_create(preference.out()), "choosing an algorithm");
    const auto prefer = [&](int attribute, const void* value, size_t bytes) {
      check(api, api.preference_set(preference.get(), attribute, value, bytes), "choosing an algorithm");
    };
    const uint64_t workspace = kWorkspaceBytes;
    prefer(kLtMaxWorkspace, &workspace, sizeof workspace);
    const auto& [of_a, of_b, of_c] = key.alignments;
    prefer(kLtAlignmentA, &of_b, sizeof of_b);
    prefer(kLtAlignmentB, &of_a, sizeof of_a);
    prefer(kLtAlignmentC, &of_c, sizeof of_c);
    prefer(kLtAlignmentD, &of_c, sizeof of_c);
    LtHeuristic best{};
    int found = 0;
    const int status =
        api.heuristic(handle, desc.get(), b.get(), a.get(), c.get(), c.get(), preference.get(), 1, &best, &found);
    const Matmul& p = key.problem;
    if (status == kLtNotSupported || (status == 0 && (found == 0 || best.state != 0))) {
      fail(ErrorKind::kUnsupported, "cublaslt",
           cat("no algorithm for a product of ", p.type, ", m ", p.m, ", n ", p.n, ", k ", p.k, ", batch ", p.batch));
    }
    check(api, status, "choosing an algorithm");
    algo = best.algo;
    workspace_bytes = best.workspace_bytes;
  }

  const LtApi& api;
  Owned<LtDesc> desc;
  Owned<LtLayout> a, b, c;
  LtAlgo algo{};
  size_t workspace_bytes = 0;
};

CublasLt::CublasLt(const LtApi& api, const DeviceContext& device) : api_(api), device_(device) {
  check(api_, api_.create(&handle_), "starting");
}

CublasLt::~CublasLt() { api_.destroy(handle_); }

std::shared_ptr<const CublasLt::Plan> CublasLt::plan(const Key& key) {
  const std::lock_guard lock(mutex_);
  if (const auto known = plans_.find(key); known != plans_.end()) return known->second;
  if (plans_.size() >= kMostPlans) plans_.clear();
  return plans_.emplace(key, std::make_shared<const Plan>(api_, handle_, key)).first->second;
}

void CublasLt::matmul(const Matmul& problem, const MatmulOperands& operands, Address workspace, Stream stream) {
  check_problem(problem);
  device_.require_usable();
  const auto chosen = plan({problem, {alignment(operands.a), alignment(operands.b), alignment(operands.c)}});
  const auto pointer = [](Address address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); };
  check(api_,
        api_.matmul(handle_, chosen->desc.get(), &operands.alpha, pointer(operands.b), chosen->b.get(),
                    pointer(operands.a), chosen->a.get(), &operands.beta, pointer(operands.c), chosen->c.get(),
                    pointer(operands.c), chosen->c.get(), &chosen->algo, pointer(workspace), chosen->workspace_bytes,
                    stream),
        "multiplying");
}

}  // namespace ingot::cuda
