#include "http/url.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(UrlTest, DecodesOnceOnly) {
  EXPECT_EQ(PercentDecode("a%2Fb%252Fc", false), "a/b%2Fc");
  EXPECT_EQ(PercentDecode("a+b", false), "a+b");
  EXPECT_EQ(PercentDecode("a+b", true), "a b");
  EXPECT_EQ(PercentDecode("%c3%A9", false), "\xc3\xa9");
}

TEST(UrlTest, RefusesWhatIsNoEncoding) {
  for (const char* text : {"%", "%2", "%zz", "a%0", "%-1", "x%00y"}) {
    EXPECT_EQ(PercentDecode(text, false), std::nullopt) << text;
  }
}

TEST(UrlTest, EncodingComesBack) {
  std::string all;
  for (int c = 1; c < 256; ++c) all.push_back(static_cast<char>(c));
  EXPECT_EQ(PercentDecode(PercentEncode(all), true), all);
  EXPECT_EQ(PercentEncode("a/b ~._-9"), "a%2Fb%20~._-9");
}

TEST(UrlTest, TakesATargetApart) {
  const auto target = ParseTarget("/v1/a%2Fb:cancel?x=1&y=a%26b+c&z&=e&&x=2");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->path, "/v1/a%2Fb:cancel");
  const std::vector<std::pair<std::string, std::string>> query = {
      {"x", "1"}, {"y", "a&b c"}, {"z", ""}, {"", "e"}, {"x", "2"}};
  EXPECT_EQ(target->query, query);
}

TEST(UrlTest, AbsoluteFormKeepsItsHostApart) {
  const auto target = ParseTarget("HTTPS://host:1/v1/x?y=1");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->authority, "host:1");
  EXPECT_EQ(target->path, "/v1/x");
  EXPECT_EQ(ParseTarget("/v1/x")->authority, "");
}

TEST(UrlTest, RefusesOtherTargets) {
  for (const char* text :
       {"", "*", "host:80", "v1/x", "http://host", "http:///x", "ftp://host/x",
        "evil://host/x", "/x?a=%", "/x?%0=1"}) {
    EXPECT_EQ(ParseTarget(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace vernier
