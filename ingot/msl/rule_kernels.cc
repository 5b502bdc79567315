#include <map>
#include <optional>

#include "ingot/base/strings.h"
#include "ingot/msl/rules.h"

namespace ingot::msl {
namespace {

// The size of a member that may stand in a parameter struct; 0 for types whose layout differs between compilers or
// hosts.
int parameter_size(std::string_view type) {
  for (const char* known : {"int64_t", "uint64_t", "ulong", "size_t"}) {
    if (type == known) return 8;
  }
  for (const char* known : {"int", "uint", "int32_t", "uint32_t", "float"}) {
    if (type == known) return 4;
  }
  return 0;
}

void check_layout(const ParsedModule& module, const Struct& record, Findings& findings) {
  uint64_t bytes = 0;
  bool counted = true;
  int last_size = 8;
  for (const Member& member : record.members) {
    const int size = member.type.stars == 0 && !member.type.reference ? parameter_size(member.type.element) : 0;
    if (size == 0) {
      findings.add_house(
          member.token, 13,
          cat("member '", member.name, "' of parameter struct '", record.name,
              "': only int64_t, uint64_t, ulong, int, uint and float, which hosts and devices lay out alike"));
      counted = false;
      continue;
    }
    if (size > last_size)
      findings.add_house(member.token, 13,
                         cat("member '", member.name, "' of parameter struct '", record.name,
                             "': 8-byte members stand before 4-byte members"));
    last_size = size;
    const std::optional<uint64_t> count = element_count(module, member.dimensions);
    counted = counted && count.has_value();
    bytes += static_cast<uint64_t>(size) * count.value_or(0);
  }
  // Where a length is a name, the strict text asserts the same of sizeof.
  if (counted && bytes % 8 != 0)
    findings.add_house(record.token, 13,
                       cat("parameter struct '", record.name, "' has ", bytes, " bytes: pad it to a multiple of 8"));
}

class KernelCheck {
 public:
  KernelCheck(const ParsedModule& module, Findings& findings) : m_(module), findings_(findings) {}

  void run() {
    for (const Struct& record : m_.structs) structs_.emplace(record.name, Record{&record, false});
    for (const Function& function : m_.functions) {
      if (function.is_kernel) kernel(function);
    }
    for (const ThreadgroupDeclaration& declaration : m_.threadgroups) {
      if (m_.spelled(declaration.type) == "atomic_float") threadgroup_atomic(declaration.tokens.begin);
    }
  }

 private:
  struct Record {
    const Struct* record;
    bool checked;
  };

  void threadgroup_atomic(size_t token) {
    findings_.add(token, 20,
                  "atomic_float stands in device memory only: sum with simd_sum, then a plain threadgroup array");
  }

  void kernel(const Function& function) {
    bool states_threads = false;
    for (const Attribute& attribute : function.attributes)
      states_threads = states_threads || attribute.name == "max_total_threads_per_threadgroup";
    if (!states_threads)
      findings_.add_house(function.token, 16,
                          cat("kernel '", function.name,
                              "' does not state its size: [[kernel, max_total_threads_per_threadgroup(256)]]"));
    int values = 0;
    for (const Parameter& parameter : function.parameters) {
      const DeclaredType& type = parameter.type;
      if (type.space == "threadgroup" && type.element == "atomic_float") threadgroup_atomic(parameter.token);
      if (type.space != "constant" || !type.reference) continue;
      if (++values == 2)
        findings_.add_house(parameter.token, 13,
                            cat("'", parameter.name, "': put all small parameters into one constant struct"));
      value(parameter);
    }
  }

  void value(const Parameter& parameter) {
    const auto found = structs_.find(parameter.type.element);
    if (found == structs_.end() || found->second.record->is_template) {
      if (parameter_size(parameter.type.element) == 0)
        findings_.add_house(parameter.token, 13,
                            cat("'", parameter.name,
                                "': a constant reference is to a struct of this file or to a 4- or 8-byte number"));
      return;
    }
    if (!found->second.checked) check_layout(m_, *found->second.record, findings_);
    found->second.checked = true;
  }

  const ParsedModule& m_;
  Findings& findings_;
  std::map<std::string_view, Record, std::less<>> structs_;
};

}  // namespace

void check_kernels(const ParsedModule& module, Findings& findings) { KernelCheck(module, findings).run(); }

}  // namespace ingot::msl
