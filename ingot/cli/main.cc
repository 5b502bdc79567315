// The program `ingot`: parses the command line, runs one command, turns errors into messages and exit codes.
#include <csignal>
#include <cstdio>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/device/device.h"

namespace ingot::cli {

namespace {
std::atomic<bool> was_interrupted{false};

void on_interrupt(int) {
  if (was_interrupted.exchange(true)) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
}
}  // namespace

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }
bool interrupted() { return was_interrupted.load(); }
void clear_interrupt() { was_interrupted = false; }

void add_device_option(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "cpu, cuda:N, metal or sim (`ingot doctor` says what is there)")
      ->capture_default_str();
}
void check_device(const std::string& device) {
  Device d = device_from_name(device);
  Availability a = availability(d);
  if (!a.available) fail(ErrorKind::kUnsupported, name(d), cat(a.reason, "; ", a.advice));
}
void add_threads_option(CLI::App& command, int& threads) {
  command.add_option("-t,--threads", threads, "CPU threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}
void apply_threads(int threads) {
  if (threads > 0) set_num_threads(threads);
}

}  // namespace ingot::cli

int main(int argc, char** argv) {
  using namespace ingot::cli;
  CLI::App app{
      "Ingot runs language models on the machine you own.\n\n"
      "  ingot generate --model DIR|FILE.gguf --prompt \"Why is the sky blue?\"\n"
      "  ingot chat --model DIR|FILE.gguf\n"
      "  ingot COMMAND --help   explains a command and shows examples\n",
      "ingot"};
  app.set_version_flag("--version", "ingot 0.1.0");
  app.require_subcommand(1);
  Work work;
  add_generate(app, work);
  add_chat(app, work);
  add_inspect(app, work);
  add_tokenize(app, work);
  add_logits(app, work);
  add_op(app, work);
  add_bench(app, work);
  add_doctor(app, work);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    int code = app.exit(e);
    return code == 0 ? kOk : kUsage;
  }
  try {
    return work();
  } catch (const ingot::Error& e) {
    fprintf(stderr, "ingot: %s\n", e.what());
  } catch (const std::bad_alloc&) {
    fprintf(stderr, "ingot: out of memory\n");
  } catch (const std::exception& e) {
    fprintf(stderr, "ingot: %s\n", e.what());
  }
  return kFailed;
}
