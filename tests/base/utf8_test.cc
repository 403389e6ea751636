#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(Utf8Test, ReplacesWhatIsNotValid) {
  EXPECT_EQ(ValidUtf8(""), "");
  EXPECT_EQ(ValidUtf8("z\u00fcrich \U0001f600"), "z\u00fcrich \U0001f600");
  EXPECT_EQ(ValidUtf8("a\xff\xfe!"), "a\uFFFD\uFFFD!");
  // A character that was cut off.
  EXPECT_EQ(ValidUtf8("z\xc3"), "z\uFFFD");
}

}  // namespace
}  // namespace vernier
