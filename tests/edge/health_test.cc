#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/edge/generic_call.h"
#include "tests/faces/service_bed.h"

namespace vernier {
namespace {

// grpc.health.v1.HealthCheckResponse has one field, an enum numbered 1.
constexpr char kServing[] = "\x08\x01";
constexpr char kNotServing[] = "\x08\x02";

class HealthTest : public ServiceBed {
 protected:
  GenericAnswer Call(const std::string& method, const std::string& request) {
    grpc::ClientContext context;
    return CallGeneric(grpc::CreateChannel(endpoint_.ToString(),
                                           grpc::InsecureChannelCredentials()),
                       context, "/grpc.health.v1.Health/" + method, request);
  }

  /// The bytes of the answer to Check, as any monitoring tool gets them.
  std::string Check(const std::string& request = "") {
    const GenericAnswer answer = Call("Check", request);
    EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
    std::vector<grpc::Slice> slices;
    EXPECT_TRUE(answer.message.Dump(&slices).ok());
    std::string bytes;
    for (const grpc::Slice& slice : slices) {
      bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
    return bytes;
  }
};

TEST_F(HealthTest, ServesUntilItStops) {
  EXPECT_EQ(Check(), kServing);
  listener_->StopServing();
  EXPECT_EQ(Check(), kNotServing);
}

TEST_F(HealthTest, KnowsItsServices) {
  EXPECT_EQ(Check("\x0a\x15vernier.v1.JobService"), kServing);
  for (const char* other :
       {"\x0a\x14vernier.v1.JobServic", "\x0a\x01/", "\x0a\x03no\x0a"}) {
    EXPECT_EQ(Call("Check", other).status.error_code(),
              grpc::StatusCode::NOT_FOUND)
        << other;
  }
}

TEST_F(HealthTest, RefusesWhatIsNoRequest) {
  EXPECT_EQ(Call("Check", "\x0a\x7f").status.error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Call("Check", std::string(2000, 'a')).status.error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

// A client that would watch takes this for "healthy".
TEST_F(HealthTest, IsNotWatched) {
  EXPECT_EQ(Call("Watch", "").status.error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace vernier
