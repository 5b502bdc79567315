// Chat templates: the Jinja programs that checkpoints ship to turn a list of messages into the text a model was trained
// on. The language is that of transformers' apply_chat_template (Jinja's sandbox with trim_blocks, lstrip_blocks, break
// and continue, tojson without HTML escapes, raise_exception, strftime_now, {% generation %}). Templates are untrusted:
// nesting, work and output are bounded.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "ingot/base/export.h"
#include "ingot/text/jinja_value.h"
#include "ingot/text/text_range.h"

namespace ingot {

struct RenderedChat {
  std::string text;
  // The bytes of `text` that came from the caller (messages, tools, other options): sorted, disjoint, not empty.
  // Control tokens must not be read there. Not counted as the caller's: the role of a message when it is system, user,
  // assistant, tool or developer.
  std::vector<TextRange> plain;
};

class INGOT_API ChatTemplate {
 public:
  // Parses. Error (kFormat: broken syntax; kUnsupported: a construct that is not done) with the line. An empty token is
  // undefined to the template, as transformers has it.
  explicit ChatTemplate(std::string source, std::string bos_token = "", std::string eos_token = "");

  // `messages`: a list of dicts {role, content, ...}. `options`: a dict of all else the template may ask for:
  // add_generation_prompt, tools, documents, enable_thinking, ... Absent tools and documents are none, an absent
  // add_generation_prompt is false. Error: kArgument when messages or options have the wrong form or the template
  // refuses them (raise_exception, its text in the message); kFormat for a failure within the template, with the line.
  RenderedChat render(const jinja::Value& messages, const jinja::Value& options = jinja::Dict{}) const;

  const std::string& source() const { return source_; }

 private:
  struct Program;
  std::string source_, bos_token_, eos_token_;
  std::shared_ptr<const Program> program_;
};

}  // namespace ingot
