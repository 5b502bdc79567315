// ingot chat: a conversation on the terminal.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/cli/progress.h"
#include "ingot/cli/sampling_options.h"

namespace ingot::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model, system, device = "cpu";
  int threads = 0;
  SamplingFlags sampling;
};

constexpr const char* kHelp =
    "/help            this text\n"
    "/clear           forget the conversation\n"
    "/undo            forget the last question and answer\n"
    "/system TEXT     set the system message (and forget the conversation)\n"
    "/save FILE       write the conversation as JSON\n"
    "/stats           speed and memory of the last answer\n"
    "/quit            leave (also Ctrl-D); Ctrl-C stops an answer\n";

class Chat {
 public:
  Chat(const Options& o, const LanguageModel& model)
      : model_(model), options_(o.sampling.options(model)), session_(model) {
    start(o.system);
  }

  int loop() {
    bool terminal = stderr_is_terminal();
    if (terminal) fprintf(stderr, "%s. /help lists the commands.\n", model_.name.c_str());
    while (true) {
      clear_interrupt();
      if (terminal) fputs("> ", stderr);
      std::string line;
      if (!std::getline(std::cin, line)) {
        if (!interrupted() || std::cin.eof()) break;
        std::cin.clear();
        continue;
      }
      if (line.empty()) continue;
      if (line[0] == '/') {
        if (!command(line)) break;
        continue;
      }
      // One failed turn (a full context, say) does not end the conversation.
      try {
        answer(line);
      } catch (const Error& e) {
        fprintf(stderr, "ingot: %s\n", e.what());
      }
    }
    return kOk;
  }

 private:
  void start(const std::string& system) {
    messages_ = Json::array();
    if (!system.empty()) messages_.push_back({{"role", "system"}, {"content", system}});
    first_ = messages_.size();
  }

  bool command(const std::string& line) {
    size_t space = line.find(' ');
    std::string word = line.substr(0, space), rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (word == "/quit" || word == "/exit") return false;
    if (word == "/help") {
      fputs(kHelp, stderr);
    } else if (word == "/clear") {
      messages_.erase(messages_.begin() + std::ptrdiff_t(first_), messages_.end());
    } else if (word == "/undo") {
      for (int i = 0; i < 2 && messages_.size() > first_; i++) messages_.erase(messages_.end() - 1);
    } else if (word == "/system") {
      start(rest);
    } else if (word == "/stats") {
      print_stats(last_);
    } else if (word == "/save" && !rest.empty()) {
      FILE* f = fopen(rest.c_str(), "w");
      if (!f) {
        fprintf(stderr, "cannot write %s\n", rest.c_str());
      } else {
        fprintf(f, "%s\n", dump(messages_, 2).c_str());
        fclose(f);
      }
    } else {
      fprintf(stderr, "unknown command %s; /help lists them\n", word.c_str());
    }
    return true;
  }

  void answer(const std::string& question) {
    messages_.push_back({{"role", "user"}, {"content", question}});
    std::vector<int32_t> ids;
    Generated out;
    try {
      ids = encode_chat(model_, jinja::Value::from_json(dump(messages_)),
                        jinja::Value::from_json(R"({"add_generation_prompt": true})"));
      Progress bar("reading");
      out = session_.generate(
          ids, options_,
          [&](std::string_view text) {
            bar.clear();
            fwrite(text.data(), 1, text.size(), stdout);
            fflush(stdout);
            return !interrupted();
          },
          [&](int64_t done, int64_t total) { bar.update(done, total); });
    } catch (...) {
      messages_.erase(messages_.end() - 1);
      throw;
    }
    putchar('\n');
    fflush(stdout);
    messages_.push_back({{"role", "assistant"}, {"content", out.text}});
    last_ = out.stats;
  }

  static std::string dump(const Json& j, int indent = -1) {
    return j.dump(indent, ' ', false, Json::error_handler_t::replace);
  }

  const LanguageModel& model_;
  GenerateOptions options_;
  Session session_;
  Json messages_;
  size_t first_ = 0;
  GenerateStats last_;
};

}  // namespace

void add_chat(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("chat", "Talk with a model on the terminal");
  c->add_option("-m,--model", o->model, "model folder or .gguf file")->required();
  c->add_option("--system", o->system, "system message");
  o->sampling.add(*c);
  add_device_option(*c, o->device);
  add_threads_option(*c, o->threads);
  c->footer(std::string("Inside the conversation:\n") + kHelp +
            "Example:\n  ingot chat -m models/SmolLM2-135M-Instruct.Q4_1.gguf --temperature 0.7");
  c->callback([&work, o] {
    work = [o] {
      check_device(o->device);
      apply_threads(o->threads);
      catch_interrupts();
      LanguageModel model = load_model(o->model, device_from_name(o->device));
      if (!model.chat_template)
        fail(ErrorKind::kState, o->model,
             "this model has no chat template; `ingot generate --raw` continues plain text");
      return Chat(*o, model).loop();
    };
  });
}

}  // namespace ingot::cli
