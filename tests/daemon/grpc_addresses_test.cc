#include "daemon/grpc_addresses.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

const DataDir kDataDir{"/data/vernier"};
const TlsFiles kServerOnly{"server.pem", "server.key", ""};
const TlsFiles kMutual{"server.pem", "server.key", "clients.pem"};

TEST(GrpcAddressesTest, WithoutAnAddressThereIsOnlyTheSocketOfTheData) {
  auto found = FindGrpcAddresses("", {}, kDataDir);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->All().size(), 1u);
  EXPECT_EQ(found->All()[0]->ToString(), "unix:/data/vernier/vernier.sock");
}

TEST(GrpcAddressesTest, TheSocketOfTheDataIsThereBesidesTcp) {
  auto found = FindGrpcAddresses("127.0.0.1:7000", {}, kDataDir);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->All().size(), 2u);
  EXPECT_EQ(found->All()[0]->ToString(), "127.0.0.1:7000");
  EXPECT_EQ(found->All()[1]->ToString(), "unix:/data/vernier/vernier.sock");
}

TEST(GrpcAddressesTest, ADataDirectoryTooDeepForASocketHasNone) {
  const DataDir deep{"/" + std::string(200, 'd')};
  auto found = FindGrpcAddresses("127.0.0.1:7000", {}, deep);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->All().size(), 1u);
  EXPECT_FALSE(FindGrpcAddresses("", {}, deep).ok());
}

TEST(GrpcAddressesTest, OtherMachinesNeedACertificate) {
  EXPECT_FALSE(FindGrpcAddresses("0.0.0.0:7000", {}, kDataDir).ok());
  EXPECT_FALSE(FindGrpcAddresses("0.0.0.0:7000", kServerOnly, kDataDir).ok());
  EXPECT_TRUE(FindGrpcAddresses("0.0.0.0:7000", kMutual, kDataDir).ok());
}

TEST(GrpcAddressesTest, FilesOfTlsBelongTogether) {
  EXPECT_TRUE(FindGrpcAddresses("", kServerOnly, kDataDir).ok());
  EXPECT_FALSE(FindGrpcAddresses("", {"server.pem", "", ""}, kDataDir).ok());
  EXPECT_FALSE(FindGrpcAddresses("", {"", "server.key", ""}, kDataDir).ok());
  EXPECT_FALSE(FindGrpcAddresses("", {"", "", "clients.pem"}, kDataDir).ok());
}

TEST(GrpcAddressesTest, KatibsControllerIsOfThisMachineUnlessItIsSaid) {
  EXPECT_TRUE(
      FindKatibAddress("127.0.0.1:6789", KatibCallers::kThisMachine).ok());
  const auto refused =
      FindKatibAddress("0.0.0.0:6789", KatibCallers::kThisMachine);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(refused.status().message().find("--katib-from-anywhere"),
            std::string::npos);
  EXPECT_TRUE(FindKatibAddress("0.0.0.0:6789", KatibCallers::kAnywhere).ok());
  EXPECT_FALSE(FindKatibAddress("unix:/a", KatibCallers::kAnywhere).ok());
  EXPECT_FALSE(FindKatibAddress("6789", KatibCallers::kAnywhere).ok());
}

}  // namespace
}  // namespace vernier
