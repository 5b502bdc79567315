#include "ingot/msl/include_inliner.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"
#include "ingot/msl/test_support.h"

namespace ingot::msl {
namespace {

SourceText inlined(std::string_view text, const Files& files = {}) {
  return inline_includes("room/a.metal", text, [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  });
}

std::string message_of(std::string_view text, const Files& files = {}) {
  try {
    inlined(text, files);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string place_of(const SourceText& source, std::string_view word) {
  const Place place = source.at(source.text().find(word));
  return cat(place.file, ":", place.line);
}

TEST(MslIncludes, PutsTheHeaderWhereItIsIncluded) {
  const SourceText source = inlined("first\n#include \"b.h\"  // why\nlast\n", {{"room/b.h", "#pragma once\ninner\n"}});
  EXPECT_EQ(source.text(), "first\n\n#line 1 \"room/b.h\"\n\ninner\n#line 2 \"room/a.metal\"\n\nlast\n");
  EXPECT_EQ(place_of(source, "first"), "room/a.metal:1");
  EXPECT_EQ(place_of(source, "inner"), "room/b.h:2");
  EXPECT_EQ(place_of(source, "last"), "room/a.metal:3");
}

TEST(MslIncludes, LooksBesideTheFileThenAtTheRoot) {
  EXPECT_NE(inlined("#include \"b.h\"\n", {{"room/b.h", "near\n"}, {"b.h", "far\n"}}).text().find("near"),
            std::string::npos);
  EXPECT_NE(inlined("#include \"x/b.h\"\n", {{"x/b.h", "far\n"}}).text().find("far"), std::string::npos);
  EXPECT_NE(inlined("#include \"../x/b.h\"\n", {{"x/b.h", "far\n"}}).text().find("far"), std::string::npos);
}

TEST(MslIncludes, TakesAFileOnceAlsoInACircle) {
  const SourceText source = inlined("#include \"b.h\"\n#include \"../room/b.h\"\nmain\n",
                                    {{"room/b.h", "#include \"a.metal\"\n#include \"b.h\"\nonce\n"}});
  EXPECT_EQ(source.text().find("once"), source.text().rfind("once"));
  EXPECT_EQ(place_of(source, "main"), "room/a.metal:3");
}

TEST(MslIncludes, LeavesSystemHeadersAndComments) {
  EXPECT_EQ(inlined("#include <metal_stdlib>\n// #include \"b.h\"\n/*\n#include \"b.h\"\n*/\n").text(),
            "#include <metal_stdlib>\n// #include \"b.h\"\n/*\n#include \"b.h\"\n*/\n");
}

TEST(MslIncludes, ResolvesTheKernelsOwnCondition) {
  EXPECT_EQ(inlined("#ifdef __METAL_VERSION__\na\n#else\nb\n#include \"none.h\"\n#endif\nc\n").text(),
            "\na\n\n\n\n\nc\n");
  EXPECT_EQ(inlined("#if !defined(__METAL_VERSION__)\n#if X\nhost\n#endif\n#endif\nc\n").text(), "\n\n\n\n\nc\n");
  EXPECT_EQ(inlined("#if X\na\n#else\nb\n#endif\n").text(), "#if X\na\n#else\nb\n#endif\n");
}

TEST(MslIncludes, RefusesWithThePlace) {
  EXPECT_EQ(message_of("\n#include \"none.h\"\n"), "room/a.metal:2: error: header \"none.h\" not found");
  EXPECT_EQ(message_of("#include \"b.h\"\n", {{"room/b.h", "x\n/* y"}}),
            "room/b.h:2: error: comment or string without an end");
  EXPECT_EQ(message_of("#if X\n#include \"b.h\"\n#endif\n"),
            "room/a.metal:2: error: #include inside a condition: include it always (headers say #pragma once)");
  EXPECT_EQ(message_of("#include \"a\\b.h\"\n"), "room/a.metal:1: error: write / between folders of a header");
  EXPECT_EQ(message_of("#endif\n"), "room/a.metal:1: error: #endif without #if");
  EXPECT_EQ(message_of("\n#if X\n"), "room/a.metal:2: error: #if without #endif");
  EXPECT_EQ(message_of("#line 7\n"), "room/a.metal:1: error: #line is written by the translator only");
  EXPECT_EQ(message_of(std::string_view("a\0b", 3)), "room/a.metal:1: error: zero byte in kernel text");
  EXPECT_EQ(message_of(std::string(kLargestText + 1, ' ')),
            "room/a.metal:1: error: kernel text is larger than 1048576 bytes");
}

TEST(MslIncludes, ReadsWindowsLines) { EXPECT_EQ(inlined("a\r\nb\r\n").text(), "a\nb\n"); }

TEST(MslIncludes, PlainPaths) {
  EXPECT_EQ(plain_path("a/b/../c.h"), "a/c.h");
  EXPECT_EQ(plain_path("./x"), "x");
  EXPECT_EQ(plain_path("../x"), "../x");
  EXPECT_EQ(plain_path("/a//b"), "/a/b");
}

}  // namespace
}  // namespace ingot::msl
