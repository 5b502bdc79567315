// The tables that the build wrote.
#include "ingot/msl/embedded.h"

#include <gtest/gtest.h>

#include <set>

#include "ingot/msl/msl.h"

namespace ingot::msl {
namespace {

TEST(MslEmbedded, HeadersForUsersKernels) {
  const char* const text =
      "#include <metal_stdlib>\n#include \"ingot/msl/errors.h\"\n#include \"ingot/msl/tile.h\"\n#include "
      "\"ingot/msl/wait_inputs.h\"\n"
      "kernel void k(device ErrorSlot& errors [[buffer(0)]]) { wait_inputs(); report_error(errors, 1, 2, 3); }\n";
  const Module module = read("user.metal", text, read_embedded_header);
  EXPECT_EQ(to_text(check(module, Rules::kPortable)), "");
  ASSERT_EQ(signatures(module).size(), 1u);
  EXPECT_TRUE(signatures(module)[0].waits_for_inputs);
  EXPECT_EQ(read_embedded_header("/etc/passwd"), std::nullopt);
}

TEST(MslEmbedded, CudaTextFindsItsHeaders) {
  std::set<std::string_view> names;
  for (const EmbeddedHeader& header : embedded_headers()) {
    EXPECT_TRUE(names.insert(header.name).second) << header.name;
    EXPECT_FALSE(header.text.empty()) << header.name;
  }
  for (const char* needed : {"msl_cuda.h", "msl_names.h", "metal_stdlib"}) EXPECT_EQ(names.count(needed), 1u) << needed;
}

TEST(MslEmbedded, EveryKernelIsFoundByItsHostName) {
  for (const EmbeddedKernels& file : embedded_kernels()) {
    EXPECT_TRUE(file.metal.starts_with("#line 1 \"")) << file.name;
    for (const std::string_view host : file.hosts) {
      EXPECT_EQ(find_embedded_kernel(host), &file) << host;
      EXPECT_NE(file.json.find(host), file.json.npos) << host;
    }
  }
  EXPECT_EQ(find_embedded_kernel("no such kernel"), nullptr);
  link_sim_kernels();
}

}  // namespace
}  // namespace ingot::msl
