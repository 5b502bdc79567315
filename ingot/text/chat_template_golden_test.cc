// Every case of tests/golden/chat_templates: what Jinja2 renders, this engine renders; what it refuses, this engine
// refuses.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ingot/base/error.h"
#include "ingot/text/chat_template.h"

namespace ingot {
namespace {

std::string read_file(const std::string& name) {
  std::ifstream file(std::string(INGOT_SOURCE_DIR) + "/tests/golden/chat_templates/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string text_of(const jinja::Dict& dict, const char* key) {
  const jinja::Value* found = dict.find(key);
  return found ? found->string() : "";
}

TEST(ChatTemplateGolden, RendersWhatJinjaRenders) {
  jinja::Value document = jinja::Value::from_json(read_file("cases.json"));
  const jinja::Value& shared_messages = *document.dict().find("construct_messages");
  const jinja::Value& shared_options = *document.dict().find("construct_options");
  size_t errors = 0, cases = 0;
  for (const jinja::Value& value : document.dict().find("cases")->items()) {
    const jinja::Dict& c = value.dict();
    bool construct = c.find("template") != nullptr;
    std::string name = text_of(c, "name");
    std::string source = construct ? text_of(c, "template") : read_file(text_of(c, "template_file"));
    if (source.empty()) continue;  // an empty template is refused at construction
    std::string got, error;
    try {
      ChatTemplate chat(source, construct ? "<s>" : text_of(c, "bos_token"), text_of(c, "eos_token"));
      RenderedChat rendered = chat.render(construct ? shared_messages : *c.find("messages"),
                                          construct ? shared_options : *c.find("options"));
      got = rendered.text;
      size_t last = 0;
      for (const TextRange& range : rendered.plain) {
        EXPECT_TRUE(range.begin < range.end && range.end <= got.size() && (last == 0 || range.begin > last)) << name;
        last = range.end;
      }
    } catch (const Error& e) {
      error = e.what();
      errors++;
    }
    cases++;
    if (c.find("error")) {
      EXPECT_NE(error, "") << name << "\n" << source << "\nrendered: " << got << "\nJinja: " << text_of(c, "error");
    } else {
      EXPECT_EQ(error, "") << name << "\n" << source;
      EXPECT_EQ(got, text_of(c, "expected")) << name << "\n" << source;
    }
  }
  EXPECT_GT(cases, 700u);
  EXPECT_GT(errors, 100u);
}

}  // namespace
}  // namespace ingot
