#include "edge/http/session_cookie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

HttpRequest WithHeader(const std::string& name, const std::string& value) {
  HttpRequest request;
  request.headers = {{name, value}};
  return request;
}

TEST(SessionCookieTest, OneOfManyIsFound) {
  const HttpRequest request =
      WithHeader("cookie", "a=1; vernier_ab=token; vernier_a=other; b");
  EXPECT_EQ(CookieValue(request, "vernier_ab"), "token");
  EXPECT_EQ(CookieValue(request, "vernier_a"), "other");
  EXPECT_EQ(CookieValue(request, "a"), "1");
  EXPECT_EQ(CookieValue(request, "vernier"), "");
  EXPECT_EQ(CookieValue(request, "b"), "");
  EXPECT_EQ(CookieValue(HttpRequest(), "a"), "");
  EXPECT_EQ(CookieValue(WithHeader("cookie", ";;=; ;"), "a"), "");
}

TEST(SessionCookieTest, NoScriptReadsItAndNoOtherSiteSendsIt) {
  const std::string cookie =
      SessionCookie("v", "t", std::chrono::seconds(60), /*is_secure=*/false);
  EXPECT_EQ(cookie, "v=t; Path=/ui; HttpOnly; SameSite=Strict; Max-Age=60");
  EXPECT_THAT(SessionCookie("v", "t", std::nullopt, true),
              HasSubstr("; Secure"));
  EXPECT_THAT(SessionCookie("v", "t", std::nullopt, true),
              Not(HasSubstr("Max-Age")));
  EXPECT_THAT(SessionCookie("v", "", std::nullopt, false),
              HasSubstr("v=; Path=/ui"));
  EXPECT_THAT(SessionCookie("v", "", std::nullopt, false),
              HasSubstr("Max-Age=0"));
}

TEST(SessionCookieTest, AForgedRequestIsRefused) {
  const std::string key = ForgeryKey("token");
  EXPECT_TRUE(CheckForgery(WithHeader("x-vernier-csrf", key), "token").ok());
  EXPECT_FALSE(CheckForgery(WithHeader("x-vernier-csrf", key), "other").ok());
  EXPECT_FALSE(CheckForgery(WithHeader("x-vernier-csrf", ""), "token").ok());
  EXPECT_FALSE(CheckForgery(HttpRequest(), "token").ok());
}

}  // namespace
}  // namespace vernier
