#include "ingot/msl/embed.h"

#include <map>

#include "ingot/base/error.h"
#include "ingot/msl/module.h"

namespace ingot::msl {
namespace {

// A literal a line of the text; bytes beyond ASCII in octal, which unlike hexadecimal ends after three digits.
std::string literal(std::string_view text) {
  std::string result = "\n    \"";
  for (size_t i = 0; i < text.size(); i++) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      result += "\\n\"";
      if (i + 1 < text.size()) result += "\n    \"";
    } else if (c == '"' || c == '\\') {
      result += cat('\\', text[i]);
    } else if (c < 0x20 || c >= 0x7f || c == '?') {  // '?' for trigraphs
      result += cat('\\', static_cast<char>('0' + (c >> 6)), static_cast<char>('0' + ((c >> 3) & 7)),
                    static_cast<char>('0' + (c & 7)));
    } else {
      result += text[i];
    }
  }
  if (text.empty() || text.back() != '\n') result += '"';
  return result;
}

std::string entry(const Module& module, const std::string& id) {
  std::string hosts;
  for (const KernelSignature& kernel : signatures(module))
    hosts += cat(hosts.empty() ? "" : ", ", "\"", kernel.host_name, "\"");
  if (hosts.empty()) hosts = "\"\"";
  return cat("constexpr std::string_view hosts_", id, "[] = {", hosts, "};\n", "constexpr std::string_view metal_", id,
             " =", literal(emit_metal(module)), ";\n", "constexpr std::string_view cuda_", id, " =",
             literal(emit_cuda(module)), ";\n", "constexpr std::string_view json_", id, " =",
             literal(to_json(signatures(module))), ";\n");
}

void refuse_double_names(const std::vector<Module>& modules) {
  std::map<std::string, std::string> files;
  for (const Module& module : modules) {
    for (const KernelSignature& kernel : signatures(module)) {
      const std::string here = cat(kernel.file, ":", kernel.line);
      const auto [known, added] = files.emplace(kernel.host_name, here);
      if (!added)
        throw Error(ErrorKind::kFormat,
                    cat(here, ": error: kernel '", kernel.host_name, "' stands in ", known->second, " too"));
    }
  }
}

}  // namespace

std::string embed(const std::vector<Module>& modules, const std::vector<EmbeddedText>& headers, bool with_sim) {
  refuse_double_names(modules);
  std::string entries, rows, headers_text, header_rows, declared, called;
  for (const Module& module : modules) {
    const std::string& name = module.parsed().name;
    const std::string id = identifier_of(name);
    entries += entry(module, id);
    rows += cat("    {\"", name, "\", metal_", id, ", cuda_", id, ", json_", id, ", hosts_", id, "},\n");
    declared += cat("void link_", id, "();\n");
    called += cat("  msl_sim::link_", id, "();\n");
  }
  for (const EmbeddedText& header : headers) {
    headers_text +=
        cat("constexpr std::string_view header_", identifier_of(header.name), " =", literal(header.text), ";\n");
    header_rows += cat("    {\"", header.name, "\", header_", identifier_of(header.name), "},\n");
  }
  const auto table = [](std::string_view type, std::string_view name, const std::string& table_rows) {
    if (table_rows.empty()) return cat("std::span<const ", type, "> ", name, "() { return {}; }\n");
    return cat("std::span<const ", type, "> ", name, "() {\n  static constexpr ", type, " kAll[] = {\n", table_rows,
               "  };\n  return kAll;\n}\n");
  };
  std::string text = "// Written by ingot-msl embed.\n#include \"ingot/msl/embedded.h\"\n\n";
  if (with_sim && !declared.empty()) text += cat("namespace msl_sim {\n", declared, "}\n\n");
  text += cat("namespace ingot::msl {\nnamespace {\n\n", entries, headers_text, "\n}  // namespace\n\n");
  text += table("EmbeddedKernels", "embedded_kernels", rows);
  text += table("EmbeddedHeader", "embedded_headers", header_rows);
  return text + cat("void link_sim_kernels() {\n", with_sim ? called : "", "}\n\n}  // namespace ingot::msl\n");
}

}  // namespace ingot::msl
