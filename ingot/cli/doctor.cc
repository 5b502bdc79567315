// ingot doctor: what this machine and this build can do.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "ingot/cli/command.h"
#include "ingot/device/cpu/isa.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/cpu/thread_pool.h"
#include "ingot/device/device.h"
#include "ingot/models/family.h"
#include "ingot/ops/op_table.h"

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

}  // namespace

void add_doctor(CLI::App& app, Work& work) {
  auto json = std::make_shared<bool>(false);
  CLI::App* c =
      app.add_subcommand("doctor", "Say which devices can be used and why not, CPU features, memory, what is built in");
  c->add_flag("--json", *json, "one JSON object");
  c->callback([&work, json] { work = [json] { return run(*json); }; });
}

}  // namespace ingot::cli
