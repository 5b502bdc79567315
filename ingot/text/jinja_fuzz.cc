// A template, a zero byte, a JSON document with messages: nothing but an Error may come of it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ingot/base/error.h"
#include "ingot/text/jinja_eval.h"
#include "ingot/text/jinja_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ingot;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  size_t cut = input.find('\0');
  std::string_view source = input.substr(0, cut);
  std::string_view json = cut == input.npos ? R"([{"role": "user", "content": "hi é"}])" : input.substr(cut + 1);
  try {
    jinja::Dict globals;
    globals.set("messages", jinja::mark_user(jinja::Value::from_json(json)));
    jinja::Block block = jinja::parse_template(source);
    jinja::RunOptions options;
    options.work = 2'000'000;
    jinja::Text text = jinja::Interpreter(options).run(block, globals);
    size_t last = 0;
    for (size_t i = 0; i < text.user.size(); i++) {
      bool after = i == 0 || text.user[i].begin > last;
      if (!after || text.user[i].begin >= text.user[i].end || text.user[i].end > text.bytes.size()) __builtin_trap();
      last = text.user[i].end;
    }
  } catch (const Error&) {
  } catch (const jinja::TemplateError&) {
  }
  return 0;
}
