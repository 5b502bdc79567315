// The kernel translator. One text of Metal Shading Language (the dialect of docs/kernels.md) is read, checked and
// written out for each of the compilers that see it: Apple's, NVRTC, the host's for the simulator, clang for the strict
// check. It serves the build (the program ingot-msl) and users who bring kernels at run time; any text whatever is safe
// to give.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/msl/diagnostic.h"
#include "ingot/msl/signature.h"

namespace ingot::msl {

// The text of a header by its path ("ingot/msl/errors.h"); nullopt if there is none.
using IncludeReader = std::function<std::optional<std::string>(const std::string& path)>;

struct ParsedModule;

// A text that has been read; copies share it.
class INGOT_API Module {
 public:
  explicit Module(std::shared_ptr<const ParsedModule> parsed) : parsed_(std::move(parsed)) {}
  const ParsedModule& parsed() const { return *parsed_; }

 private:
  std::shared_ptr<const ParsedModule> parsed_;
};

// Reads `text`, which messages call `name` (quotes and control characters become _), and the local headers it includes:
// x.h beside the including file, else as written. Error kFormat "file:line: error: message" where no sense can be made
// of it: a header that is missing, brackets that do not match, an unterminated comment, more than 1 MiB. Lesser
// mistakes are left to check().
INGOT_API Module read(std::string_view name, std::string_view text, const IncludeReader& reader);

// Which rules to hold a module to: all that Ingot's own kernels keep, or those without which a kernel means different
// things to different compilers.
enum class Rules { kHouse, kPortable };

// All mistakes, the file before its headers, by line; empty for a good module. What needs types is found by the strict
// check (ingot/msl/strict/), which uses clang.
INGOT_API std::vector<Diagnostic> check(const Module& module, Rules rules = Rules::kHouse);

// Every kernel that the module offers, by host name, in the order of the text. Complete only if check() finds nothing.
INGOT_API const std::vector<KernelSignature>& signatures(const Module& module);

// The text for each compiler; ingot/msl/emitted.md says what it looks like. Error kFormat naming the first mistake
// if the module has any that leaves the meaning open (those of check with Rules::kPortable).
INGOT_API std::string emit_metal(const Module& module);
INGOT_API std::string emit_strict(const Module& module);
INGOT_API std::string emit_sim(const Module& module);
INGOT_API std::string emit_cuda(const Module& module);

// A file's name as part of C++ names: letters and digits kept, all else '_'.
INGOT_API std::string identifier_of(std::string_view name);

}  // namespace ingot::msl
