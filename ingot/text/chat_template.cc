#include "ingot/text/chat_template.h"

#include <algorithm>
#include <ctime>

#include "ingot/text/jinja_eval.h"
#include "ingot/text/jinja_parser.h"

namespace ingot {

using jinja::Dict;
using jinja::Value;

namespace {

constexpr std::string_view kWhere = "chat template";
constexpr size_t kMaxSource = 1 << 20;

bool is_known_role(const std::string& role) {
  static constexpr std::string_view kRoles[] = {"system", "user", "assistant", "tool", "developer"};
  return std::find(std::begin(kRoles), std::end(kRoles), role) != std::end(kRoles);
}

Value marked_messages(const Value& messages) {
  jinja::List marked;
  for (const Value& message : messages.items()) {
    if (!message.is_dict()) fail_argument(kWhere, cat("messages[", marked.size(), "]"), "a dict", type_name(message));
    Dict dict;
    for (const auto& entry : message.dict().entries()) {
      bool trusted = entry.first.is_string() && entry.first.string() == "role" && entry.second.is_string() &&
                     is_known_role(entry.second.string());
      dict.set(mark_user(entry.first), trusted ? Value(entry.second.string()) : mark_user(entry.second));
    }
    marked.push_back(std::move(dict));
  }
  return marked;
}

std::tm local_time() {
  std::time_t now = std::time(nullptr);
  std::tm result{};
  localtime_r(&now, &result);
  return result;
}

}  // namespace

struct ChatTemplate::Program {
  jinja::Block block;
};

ChatTemplate::ChatTemplate(std::string source, std::string bos_token, std::string eos_token)
    : source_(std::move(source)), bos_token_(std::move(bos_token)), eos_token_(std::move(eos_token)) {
  if (source_.empty()) fail(ErrorKind::kFormat, kWhere, "the template is empty; this model may have none");
  if (source_.size() > kMaxSource)
    fail(ErrorKind::kFormat, kWhere, cat("the template is larger than ", kMaxSource, " bytes"));
  if (!jinja::is_valid_utf8(source_)) fail(ErrorKind::kFormat, kWhere, "the template is not valid UTF-8");
  try {
    program_ = std::make_shared<const Program>(Program{jinja::parse_template(source_)});
  } catch (const jinja::TemplateError& e) {
    fail(e.kind, kWhere, e.message);
  }
}

RenderedChat ChatTemplate::render(const Value& messages, const Value& options) const {
  if (!messages.is_sequence()) fail_argument(kWhere, "messages", "a list of dicts", type_name(messages));
  if (!options.is_dict()) fail_argument(kWhere, "options", "a dict", type_name(options));
  Dict globals;
  if (!bos_token_.empty()) globals.set("bos_token", bos_token_);
  if (!eos_token_.empty()) globals.set("eos_token", eos_token_);
  globals.set("tools", nullptr);
  globals.set("documents", nullptr);
  globals.set("add_generation_prompt", false);
  for (const auto& entry : options.dict().entries()) {
    if (!entry.first.is_string()) fail_argument(kWhere, "options", "keys that are strings", type_name(entry.first));
    globals.set(entry.first, mark_user(entry.second));
  }
  globals.set("messages", marked_messages(messages));
  jinja::RunOptions run;
  run.now = local_time();
  jinja::Interpreter interpreter(run);
  jinja::Text text = interpreter.run(program_->block, globals);
  return {std::move(text.bytes), std::move(text.user)};
}

}  // namespace ingot
