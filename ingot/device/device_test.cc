#include "ingot/device/device.h"

#include <gtest/gtest.h>

#include "ingot/base/error.h"

namespace ingot {
namespace {

TEST(Devices, NamesReadBack) {
  EXPECT_EQ(device_from_name("cpu"), kCpu);
  EXPECT_EQ(device_from_name("mps"), device_from_name("metal"));
  EXPECT_EQ(device_from_name("cuda"), (Device{DeviceKind::kCuda, 0}));
  EXPECT_EQ(device_from_name("cuda:15"), (Device{DeviceKind::kCuda, 15}));
  for (Device d : known_devices()) EXPECT_EQ(device_from_name(name(d)), d);
  EXPECT_EQ(cat(Device{DeviceKind::kCuda, 3}), "cuda:3");
}

TEST(Devices, UnknownNames) {
  for (const char* text :
       {"", "CPU", "cuda:", "cuda:-1", "cuda:+1", "cuda:1x", "cuda: 1", "cuda:99999999999", "gpu", "cpu:0"})
    EXPECT_THROW(device_from_name(text), Error) << text;
  try {
    device_from_name("cuda:\n");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "device: name: expected cpu, cuda, cuda:N, metal (mps) or sim, got \"cuda:\\n\"");
  }
}

TEST(Devices, SayWhyTheyAreNotAvailable) {
  EXPECT_TRUE(availability(kCpu).available);
  EXPECT_NE(availability(kCpu).reason.find("cores"), std::string::npos);
  EXPECT_EQ(availability(kCpu).advice, "");
  for (Device d : known_devices()) {
    Availability a = availability(d);
    EXPECT_FALSE(a.reason.empty()) << name(d);
    EXPECT_EQ(a.advice.empty(), a.available) << name(d);
  }
}

}  // namespace
}  // namespace ingot
