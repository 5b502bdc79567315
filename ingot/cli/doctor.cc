// ingot doctor: what this machine and this build can do, and whether a device computes right.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "ingot/cli/command.h"
#include "ingot/device/cpu/isa.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/device/device.h"
#include "ingot/models/family.h"
#include "ingot/ops/op_check.h"

namespace ingot::cli {

namespace {

int run(bool json) {
  ProcessMemory memory = process_memory();
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (Device d : known_devices()) {
    Availability a = availability(d);
    devices.push_back({{"device", name(d)}, {"available", a.available}, {"reason", a.reason}, {"advice", a.advice}});
  }
  std::string models;
  for (const Family* f : families())
    for (const std::string& type : f->model_types) models += (models.empty() ? "" : ", ") + type;
  if (json) {
    nlohmann::ordered_json j = {{"version", "0.1.0"},
                                {"devices", devices},
                                {"cpu",
                                 {{"model", cpu_info().model},
                                  {"cores", cpu_info().logical_cores},
                                  {"threads", num_threads()},
                                  {"found", name(detected_isa())},
                                  {"used", name(cpu_isa())}}},
                                {"memory", {{"total", memory.machine_total}, {"available", memory.machine_available}}},
                                {"operators", op_table().all().size()},
                                {"model_types", models}};
    puts(j.dump(2).c_str());
    return kOk;
  }
  puts("ingot 0.1.0\n\ndevices");
  for (const auto& d : devices) {
    printf("  %-8s %-4s %s\n", d["device"].get<std::string>().c_str(), d["available"].get<bool>() ? "yes" : "no",
           d["reason"].get<std::string>().c_str());
    if (!d["available"].get<bool>()) printf("%16s%s\n", "", d["advice"].get<std::string>().c_str());
  }
  printf(
      "\ncpu\n  instruction set  %s found, %s used (INGOT_CPU_ISA lowers it)\n  threads          %d (INGOT_THREADS, "
      "--threads)\n",
      name(detected_isa()), name(cpu_isa()), num_threads());
  printf("\nmemory\n  total      %s\n  available  %s\n", human_bytes(double(memory.machine_total)).c_str(),
         human_bytes(double(memory.machine_available)).c_str());
  printf(
      "\nbuilt in\n  operators    %zu (ingot op --list)\n  model types  %s\n  files        safetensors, GGUF v2 and "
      "v3\n",
      op_table().all().size(), models.c_str());
  return kOk;
}

// Every operator's cases on a device against the reference on the CPU; a report worth attaching to an issue.
int self_test(const std::string& device_name) {
  check_device(device_name);
  Device device = device_from_name(device_name);
  printf("ingot 0.1.0, self-test of %s: %s\n\n", name(device).c_str(), availability(device).reason.c_str());
  int64_t held = 0, failed = 0, unsupported = 0;
  std::string failures, refusals;
  for (const auto& [key, entry] : op_table().all()) {
    OperatorReport r = check_operator(entry, device);
    held += r.held;
    failed += int64_t(r.failures.size());
    if (!r.unsupported.empty()) {
      unsupported++;
      refusals += cat(refusals.empty() ? "" : ", ", key);
      continue;
    }
    printf("  %-18s %7lld held %7zu failed%s\n", key.c_str(), static_cast<long long>(r.held), r.failures.size(),
           r.left_out ? cat("   (", r.left_out, " in f64 left out)").c_str() : "");
    fflush(stdout);
    for (const std::string& text : r.failures) failures += cat("  ", text, "\n");
  }
  if (unsupported) printf("\nnot done on %s yet: %s\n", name(device).c_str(), refusals.c_str());
  if (failed) printf("\nfailures\n%s", failures.c_str());
  printf("\n%lld cases held, %lld failed, %lld operators not done on this device\n", static_cast<long long>(held),
         static_cast<long long>(failed), static_cast<long long>(unsupported));
  return failed ? kFailed : kOk;
}

}  // namespace

void add_doctor(CLI::App& app, Work& work) {
  auto json = std::make_shared<bool>(false), test = std::make_shared<bool>(false);
  auto device = std::make_shared<std::string>("cpu");
  CLI::App* c =
      app.add_subcommand("doctor", "Say which devices can be used and why not, CPU features, memory, what is built in");
  c->add_flag("--json", *json, "one JSON object");
  c->add_flag("--self-test", *test, "hold every operator on --device to its cases; exit code 1 if one fails");
  add_device_option(*c, *device);
  c->callback(
      [&work, json, test, device] { work = [json, test, device] { return *test ? self_test(*device) : run(*json); }; });
}

}  // namespace ingot::cli
