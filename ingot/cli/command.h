// The commands of the program `ingot`. Each lives in a file of its own and adds itself to the parser; its work runs
// after parsing.
#pragma once
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <atomic>
#include <functional>
#include <string>

namespace ingot::cli {

inline constexpr int kOk = 0, kFailed = 1, kUsage = 2, kInterrupted = 130;

// The chosen command's work; gives the exit code.
using Work = std::function<int()>;

void add_generate(CLI::App& app, Work& work);
void add_chat(CLI::App& app, Work& work);
void add_inspect(CLI::App& app, Work& work);
void add_tokenize(CLI::App& app, Work& work);
void add_logits(CLI::App& app, Work& work);
void add_op(CLI::App& app, Work& work);
void add_bench(CLI::App& app, Work& work);
void add_doctor(CLI::App& app, Work& work);

// Set by Ctrl-C once a command asked for it; a second Ctrl-C ends the program at once.
void catch_interrupts();
bool interrupted();
void clear_interrupt();

// --device, checked against what this build can use. Error with the reason otherwise.
void add_device_option(CLI::App& command, std::string& device);
void check_device(const std::string& device);
void add_threads_option(CLI::App& command, int& threads);  // 0: all cores
void apply_threads(int threads);

}  // namespace ingot::cli
