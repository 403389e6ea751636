#include "http/client/webhook_signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "http/client/http_post.h"

namespace vernier {
namespace {

// The example that the libraries of Standard Webhooks test with.
TEST(WebhookSignatureTest, IsThatOfTheStandard) {
  const auto secret =
      ParseWebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  ASSERT_TRUE(secret.ok());
  EXPECT_EQ(WebhookSignature(*secret, "msg_p5jXN8AQM9LWM0D4loKWxJek",
                             1614265330, R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(WebhookSignatureTest, ASecretHasItsForm) {
  for (const std::string& text :
       {std::string(), std::string("whsec_"), std::string("whsec_c2hvcnQ="),
        std::string("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        "whsec_" + std::string(200, 'A'), std::string("whsec_not base 64!")}) {
    EXPECT_EQ(ParseWebhookSecret(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(OutboundUrlTest, ItsOriginIsWhatMayBeShown) {
  EXPECT_EQ(OriginOf("https://h:8/secret?a=b"), "https://h:8");
  EXPECT_EQ(OriginOf("HTTP://h?a=b"), "HTTP://h");
  EXPECT_EQ(OriginOf("http://h"), "http://h");
  EXPECT_TRUE(CheckOutboundUrl("http://[::1]:80/x").ok());
  EXPECT_FALSE(CheckOutboundUrl("http://h/" + std::string(2048, 'a')).ok());
  EXPECT_FALSE(CheckOutboundUrl("http://h/\n").ok());
}

}  // namespace
}  // namespace vernier
