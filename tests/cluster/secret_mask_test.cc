#include "cluster/secret_mask.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(SecretMaskTest, MasksValuesInEachForm) {
  const std::map<std::string, std::string> secrets = {
      {"TOKEN", "s3cr3t/with space"},
      {"LONGER", "s3cr3t/with space and more"},
      {"KEY", "-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n"},
      {"EMPTY", ""},
      {"ONE", "1"},
      {"QUOTED", "say \"hi\""}};
  struct Case {
    const char* text;
    const char* masked;
  };
  const Case cases[] = {
      {"token=s3cr3t/with space!", "token=***!"},
      {"s3cr3t/with space and more", "***"},
      {"https://u:s3cr3t%2Fwith%20space@host", "https://u:***@host"},
      {"KeyError: '-----BEGIN KEY-----\\nMIIEvQIBADANBg\\nshort\\n'",
       "KeyError: '***'"},
      {"MIIEvQIBADANBg\nshort", "***\nshort"},
      {"{\"x\": \"say \\\"hi\\\"\"}", "{\"x\": \"***\"}"},
      {"step 1 of 11", "step 1 of 11"},
      {"", ""},
  };
  for (const auto& [text, masked] : cases) {
    EXPECT_EQ(MaskSecrets(text, secrets), masked);
  }
}

TEST(SecretMaskTest, MasksTheEndOfAValueThatWasCutOff) {
  const std::map<std::string, std::string> secrets = {
      {"TOKEN", "0123456789abcdef"}};
  EXPECT_EQ(MaskSecrets("6789abcdef is wrong", secrets), "*** is wrong");
  EXPECT_EQ(MaskSecrets("It failed.\n6789abcdef is wrong", secrets),
            "It failed.\n*** is wrong");
  EXPECT_EQ(MaskSecrets("abcdef", secrets), "abcdef");
}

// What a program says is JSON, in which a letter may be written by its number.
TEST(SecretMaskTest, MasksValuesThatAreEscapedInJson) {
  std::map<std::string, std::string> said = {
      {"escaped", R"("p\u00e4ss\/word")"}, {"plain", "[1, 2]"}};
  MaskAttributes({{"KEY", "p\u00e4ss/word"}}, &said);
  EXPECT_EQ(said, (std::map<std::string, std::string>{{"escaped", R"("***")"},
                                                      {"plain", "[1,2]"}}));
  said = {{"plain", "[1, 2]"}};
  MaskAttributes({}, &said);
  EXPECT_EQ(said["plain"], "[1, 2]");
}

}  // namespace
}  // namespace vernier
