// From parsed kernels and instantiations to signatures, with the rules on kernel parameters (11, 12, 14).
#include <map>
#include <set>

#include "ingot/base/strings.h"
#include "ingot/msl/builtins.h"
#include "ingot/msl/module.h"
#include "ingot/msl/numbers.h"

namespace ingot::msl {
namespace {

constexpr int kLastBuffer = 30;
constexpr int kLastThreadgroup = 7;

bool is_constant_type(std::string_view type) {
  for (const char* known : {"bool", "int", "uint", "short", "ushort", "char", "uchar", "float"}) {
    if (type == known) return true;
  }
  return false;
}

class Builder {
 public:
  explicit Builder(ParsedModule& module) : m_(module) {}

  void run() {
    for (const ProgramConstant& constant : m_.constants) function_constant(constant);
    find_waiting();
    for (const Function& function : m_.functions) {
      if (function.is_kernel) kernel(function);
      if (!function.is_kernel) helper(function);
    }
    for (const Instantiation& instantiation : m_.instantiations) instance(instantiation);
    sort_by_place();
    unique_names();
  }

 private:
  void problem(size_t token, int rule, std::string message) {
    m_.problems.push_back({m_.place(token), rule, std::move(message)});
  }

  void function_constant(const ProgramConstant& constant) {
    if (constant.function_constant < 0) return;
    if (!is_constant_type(constant.type))
      problem(constant.begin, 9,
              cat("a function constant is a bool, an integer of at most 32 bits or a float, not ", constant.type));
    for (const FunctionConstant& other : constants_) {
      if (other.index == constant.function_constant)
        problem(constant.begin, 9, cat("function_constant(", other.index, ") is used twice"));
    }
    constants_.push_back({constant.function_constant, constant.type, std::string(constant.name)});
  }

  // Names of functions that call wait_inputs(), through any number of others.
  void find_waiting() {
    waiting_.insert("wait_inputs");
    bool grown = true;
    for (int round = 0; grown && round < 16; round++) {
      grown = false;
      for (const Function& function : m_.functions) {
        if (waiting_.count(function.name) != 0 || !mentions_waiting(function)) continue;
        waiting_.insert(function.name);
        grown = true;
      }
    }
  }

  bool mentions_waiting(const Function& function) const {
    for (size_t i = function.body.begin; i < function.body.end; i++) {
      if (m_.tokens[i].is_name() && waiting_.count(m_.tokens[i].text) != 0) return true;
    }
    return false;
  }

  void helper(const Function& function) {
    for (const Parameter& parameter : function.parameters) {
      if (!parameter.attributes.empty())
        problem(parameter.token, 11,
                cat("only kernels' parameters have attributes, and '", function.name, "' is none"));
    }
    for (const Attribute& attribute : function.attributes) {
      if (attribute.name != "maybe_unused")
        problem(function.token, 10, cat("[[", attribute.name, "]] stands on kernels only"));
    }
  }

  void kernel(const Function& function) {
    KernelSignature signature;
    signature.function = std::string(function.name);
    const Place place = m_.place(function.token);
    signature.file = place.file;
    signature.line = place.line;
    signature.waits_for_inputs = waiting_.count(function.name) != 0;
    signature.function_constants = constants_;
    if (m_.spelled(function.result).find("void") == std::string::npos)
      problem(function.token, 11, cat("kernel '", function.name, "' has to return void"));
    if (function.body.empty())
      problem(function.token, 11, cat("kernel '", function.name, "' is declared without a body"));
    if (function.scope != Scope::kProgram)
      problem(function.token, 10, "kernels stand at program scope, in no namespace or struct");
    for (const Attribute& attribute : function.attributes) kernel_attribute(function, attribute, signature);
    std::set<std::pair<std::string_view, int>> used;
    for (const Parameter& parameter : function.parameters) kernel_parameter(parameter, signature, used);
    same_dimensions(function, signature);
    if (!function.template_parameters.empty()) {
      templates_[function.name] = {&function, std::move(signature)};
      return;
    }
    signature.host_name = signature.function;
    add(std::move(signature), function.token);
  }

  void kernel_attribute(const Function& function, const Attribute& attribute, KernelSignature& signature) {
    if (attribute.name == "max_total_threads_per_threadgroup") {
      signature.max_threads = small_number(attribute.argument);
      if (signature.max_threads < 32 || signature.max_threads > 1024 || signature.max_threads % 32 != 0)
        problem(attribute.token, 16, "max_total_threads_per_threadgroup: a literal multiple of 32 up to 1024");
    } else if (attribute.name == "host_name") {
      problem(attribute.token, 14, "[[host_name]] stands on instantiations: a plain kernel goes by its own name");
    } else if (attribute.name != "kernel") {
      problem(attribute.token, 11, cat("unknown attribute [[", attribute.name, "]] on kernel '", function.name, "'"));
    }
  }

  void kernel_parameter(const Parameter& parameter, KernelSignature& signature,
                        std::set<std::pair<std::string_view, int>>& used) {
    KernelParameter found;
    found.name = std::string(parameter.name);
    found.space = std::string(parameter.type.space);
    found.element = parameter.type.element;
    found.reference = parameter.type.reference;
    const Attribute* kind = nullptr;
    int kinds = 0;
    for (const Attribute& attribute : parameter.attributes) {
      if (attribute.name == "buffer" || attribute.name == "threadgroup" || find_builtin(attribute.name) != nullptr) {
        kind = &attribute;
        kinds++;
      } else if (attribute.name == "function_constant") {
        found.optional_if = attribute.argument;
      } else {
        return problem(parameter.token, 11,
                       cat("unknown attribute [[", attribute.name, "]] on parameter '", parameter.name, "'"));
      }
    }
    if (kinds != 1 || parameter.name.empty())
      return problem(parameter.token, 11,
                     cat("kernel parameter '", parameter.name,
                         "' needs exactly one of [[buffer(n)]], [[threadgroup(n)]] or a position such as "
                         "[[thread_position_in_grid]], and a name"));
    const bool fine = kind->name == "buffer"        ? buffer(parameter, *kind, found)
                      : kind->name == "threadgroup" ? threadgroup(parameter, *kind, found)
                                                    : builtin(parameter, *kind, found);
    if (!fine) return;
    if (found.index >= 0 && !used.insert({kind->name, found.index}).second)
      return problem(parameter.token, 11, cat("[[", kind->name, "(", found.index, ")]] is used twice"));
    if (!found.optional_if.empty()) optional(parameter, found);
    signature.parameters.push_back(std::move(found));
  }

  // Index and pointer shape, common to buffers and threadgroup memory.
  bool indexed(const Parameter& parameter, const Attribute& attribute, int last, KernelParameter& found) {
    found.index = small_number(attribute.argument);
    if (found.index < 0 || found.index > last) {
      problem(parameter.token, 11, cat("[[", attribute.name, "(n)]] needs a literal n from 0 to ", last));
      return false;
    }
    const DeclaredType& type = parameter.type;
    if (type.stars + (type.reference ? 1 : 0) != 1) {
      problem(
          parameter.token, 11,
          cat("[[", attribute.name, "]] parameter '", parameter.name, "' must be a pointer or reference to values"));
      return false;
    }
    return true;
  }

  bool buffer(const Parameter& parameter, const Attribute& attribute, KernelParameter& found) {
    if (!indexed(parameter, attribute, kLastBuffer, found)) return false;
    if (found.space != "device" && found.space != "constant") {
      problem(parameter.token, 11,
              cat("[[buffer]] parameter '", parameter.name, "' must be a pointer or reference in device or constant"));
      return false;
    }
    const bool by_value = found.space == "constant" && found.reference;
    found.kind = by_value ? ParameterKind::kValue : ParameterKind::kPointer;
    found.written = found.space == "device" && !parameter.type.const_element;
    return true;
  }

  bool threadgroup(const Parameter& parameter, const Attribute& attribute, KernelParameter& found) {
    if (!indexed(parameter, attribute, kLastThreadgroup, found)) return false;
    if (found.space != "threadgroup" || found.reference) {
      problem(parameter.token, 11,
              cat("[[threadgroup]] parameter '", parameter.name, "' must be a pointer in threadgroup"));
      return false;
    }
    found.kind = ParameterKind::kThreadgroup;
    found.written = !parameter.type.const_element;
    return true;
  }

  bool builtin(const Parameter& parameter, const Attribute& attribute, KernelParameter& found) {
    const Builtin& wanted = *find_builtin(attribute.name);
    const int dimensions = position_dimensions(found.element);
    const bool plain = parameter.type.space.empty() && parameter.type.stars == 0 && !parameter.type.reference;
    if (!plain || dimensions == 0 || (dimensions > 1 && !wanted.is_position)) {
      problem(parameter.token, 11,
              cat("[[", attribute.name, "]] cannot have type '", m_.spelled(parameter.type.tokens), "': it is a ",
                  wanted.is_position ? "uint, uint2 or uint3" : "uint", " (or ushort)"));
      return false;
    }
    found.kind = ParameterKind::kBuiltin;
    found.builtin = std::string(attribute.name);
    return true;
  }

  void optional(const Parameter& parameter, const KernelParameter& found) {
    for (const FunctionConstant& constant : constants_) {
      if (constant.name == found.optional_if && constant.type == "bool" && found.kind == ParameterKind::kPointer &&
          !found.reference)
        return;
    }
    problem(parameter.token, 11,
            "function_constant(X) on a parameter: X is a bool function constant, the parameter a buffer pointer");
  }

  void same_dimensions(const Function& function, const KernelSignature& signature) {
    int common = 0;
    for (const KernelParameter& parameter : signature.parameters) {
      if (parameter.kind != ParameterKind::kBuiltin || !find_builtin(parameter.builtin)->is_position) continue;
      const int dimensions = position_dimensions(parameter.element);
      if (common != 0 && dimensions != common)
        return problem(function.token, 12,
                       cat("kernel '", function.name,
                           "' mixes positions of different size: make all of them uint, uint2 or uint3"));
      common = dimensions;
    }
  }

  std::string default_argument(const Function& function, size_t position) const {
    const Range inside{function.template_parameters.begin + 1, function.template_parameters.end - 1};
    const Range parameter = split_commas(m_, inside)[position];
    for (size_t i = parameter.begin; i < parameter.end; i++) {
      if (m_.tokens[i].is("=")) return m_.spelled({i + 1, parameter.end});
    }
    return "";
  }

  void instance(const Instantiation& instantiation) {
    const auto found = templates_.find(instantiation.function);
    if (found == templates_.end())
      return problem(instantiation.tokens.begin, 14,
                     cat("no kernel template '", instantiation.function, "' stands above"));
    const Function& function = *found->second.function;
    const std::vector<std::string_view> names = template_names(m_, function.template_parameters);
    if (instantiation.arguments.size() > names.size())
      return problem(instantiation.tokens.begin, 14,
                     cat("'", instantiation.function, "' takes ", names.size(), " template arguments"));
    Replacements arguments;
    for (size_t i = 0; i < names.size(); i++) {
      const bool given = i < instantiation.arguments.size();
      arguments[std::string(names[i])] = given ? instantiation.arguments[i] : default_argument(function, i);
    }
    KernelSignature signature = found->second.signature;
    signature.host_name = instantiation.host;
    signature.function += "<";
    for (const std::string& argument : instantiation.arguments)
      signature.function += cat(&argument == instantiation.arguments.data() ? "" : ", ", argument);
    signature.function += ">";
    for (KernelParameter& parameter : signature.parameters)
      parameter.element = substitute(parameter.element, arguments);
    add(std::move(signature), instantiation.tokens.begin);
  }

  void add(KernelSignature signature, size_t token) {
    const Tokens name = tokenize(signature.host_name);
    if (name.size() != 1 || !name[0].is_name() || name[0].text.size() != signature.host_name.size())
      return problem(token, 14, cat("host name ", quoted(signature.host_name), " is not a C name"));
    order_.push_back(token);
    m_.signatures.push_back(std::move(signature));
  }

  void sort_by_place() {
    std::map<size_t, KernelSignature> sorted;
    for (size_t i = 0; i < order_.size(); i++) sorted.emplace(order_[i], std::move(m_.signatures[i]));
    m_.signatures.clear();
    order_.clear();
    for (auto& [token, signature] : sorted) {
      order_.push_back(token);
      m_.signatures.push_back(std::move(signature));
    }
  }

  void unique_names() {
    std::set<std::string_view> seen;
    for (size_t i = 0; i < order_.size(); i++) {
      if (!seen.insert(m_.signatures[i].host_name).second)
        problem(order_[i], 14, cat("two kernels are called '", m_.signatures[i].host_name, "'"));
    }
  }

  struct Template {
    const Function* function;
    KernelSignature signature;
  };

  ParsedModule& m_;
  std::vector<FunctionConstant> constants_;
  std::set<std::string_view> waiting_;
  std::map<std::string_view, Template> templates_;
  std::vector<size_t> order_;  // the token of each signature
};

}  // namespace

void build_signatures(ParsedModule& module) { Builder(module).run(); }

}  // namespace ingot::msl
