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
  /// The bytes of the answer to Check, as any monitoring tool gets them.
  std::string Check() {
    grpc::ClientContext context;
    const GenericAnswer answer =
        CallGeneric(grpc::CreateChannel(endpoint_.ToString(),
                                        grpc::InsecureChannelCredentials()),
                    context, "/grpc.health.v1.Health/Check");
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

}  // namespace
}  // namespace vernier
