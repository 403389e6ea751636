#include "daemon/attempt_addresses.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

ServiceReach OnSocket() {
  ServiceReach reach;
  reach.grpc.socket_path = "/d/vernier.sock";
  reach.http_url = "http://127.0.0.1:8477";
  reach.advertise_url = "http://head:8477";
  return reach;
}

TEST(AttemptAddressesTest, ThisMachineHasTheSocketAndLoopback) {
  const ServiceAddresses addresses =
      AddressesFor(JobSpec{}, OnSocket(), "token");
  EXPECT_EQ(addresses.attempt_token, "token");
  EXPECT_EQ(addresses.grpc_endpoint, "unix:/d/vernier.sock");
  EXPECT_EQ(addresses.storage_emulator_host,
            "http://127.0.0.1:8477/attempts/token");
}

TEST(AttemptAddressesTest, AClusterHasWhatIsAdvertisedAlone) {
  JobSpec spec;
  spec.vernier.launcher = LauncherName::kSlurm;
  const ServiceAddresses addresses = AddressesFor(spec, OnSocket(), "token");
  EXPECT_EQ(addresses.attempt_token, "token");
  EXPECT_EQ(addresses.grpc_endpoint, "");
  EXPECT_EQ(addresses.storage_emulator_host, "http://head:8477/attempts/token");
}

TEST(AttemptAddressesTest, WhatIsNotThereHasNoAddress) {
  const ServiceAddresses here = AddressesFor(JobSpec{}, {}, "token");
  EXPECT_EQ(here.grpc_endpoint, "");
  EXPECT_EQ(here.storage_emulator_host, "");
  JobSpec spec;
  spec.vernier.launcher = LauncherName::kKubernetes;
  EXPECT_EQ(AddressesFor(spec, {}, "token").storage_emulator_host, "");
}

}  // namespace
}  // namespace vernier
