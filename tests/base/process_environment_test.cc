#include "base/process_environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace vernier {
namespace {

using Variables = std::map<std::string, std::string>;

TEST(ProcessEnvironmentTest, ReadsVariablesByName) {
  const char* const environ[] = {
      "A=1", "B=x=y", "EMPTY=", "no sign", "A=later", nullptr};
  EXPECT_EQ(ParseEnvironment(environ),
            (Variables{{"A", "later"}, {"B", "x=y"}, {"EMPTY", ""}}));
  EXPECT_EQ(ParseEnvironment(nullptr), Variables{});
}

TEST(ProcessEnvironmentTest, AVariableThatIsNotSetIsEmpty) {
  ASSERT_EQ(setenv("VERNIER_OF_THIS_TEST", "a b", 1), 0);
  EXPECT_EQ(EnvironmentVariable("VERNIER_OF_THIS_TEST"), "a b");
  ASSERT_EQ(unsetenv("VERNIER_OF_THIS_TEST"), 0);
  EXPECT_EQ(EnvironmentVariable("VERNIER_OF_THIS_TEST"), "");
}

}  // namespace
}  // namespace vernier
