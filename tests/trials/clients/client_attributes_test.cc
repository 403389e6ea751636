#include "trials/clients/client_attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(ClientAttributesTest, AreTheTextsOfTheirNamespace) {
  const Metadata metadata = {{{"", "note"}, {true, "a client's own"}},
                             {{":attributes", "bytes"}, {false, "\x01"}},
                             {{":attributes", "fold"}, {true, "3"}},
                             {{":attributes", "git"}, {true, "\"a1\""}},
                             {{":z", "other"}, {true, "1"}}};
  EXPECT_THAT(AttributesOf(metadata),
              UnorderedElementsAre(Pair("fold", "3"), Pair("git", "\"a1\"")));
}

TEST(ClientAttributesTest, UpdatesNameTheTrial) {
  const auto updates =
      AttributeUpdates({}, TrialId{4}, {{"fold", "[1, null]"}});
  ASSERT_TRUE(updates.ok()) << updates.status();
  ASSERT_EQ(updates->size(), 1u);
  EXPECT_EQ(updates->front().trial, TrialId{4});
  EXPECT_THAT(updates->front().key, Pair(":attributes", "fold"));
  EXPECT_EQ(updates->front().value, (MetadataValue{true, "[1, null]"}));
}

TEST(ClientAttributesTest, AreRefusedWithTheirName) {
  const std::string large = "\"" + std::string(kMaxAttributeBytes, 'v') + "\"";
  const struct {
    ClientAttributes set;
    std::string why;
  } cases[] = {
      {{{"", "1"}}, "the name of an attribute has 1 to 256 bytes, not 0"},
      {{{std::string(257, 'n'), "1"}}, "1 to 256 bytes, not 257"},
      {{{"x", "{"}}, "the value of attribute \"x\" must be JSON"},
      {{{"x", ""}}, "the value of attribute \"x\" must be JSON"},
      {{{"x", large}}, "attribute \"x\" has 65538 bytes"},
  };
  for (const auto& one : cases) {
    const auto updates = AttributeUpdates({}, std::nullopt, one.set);
    EXPECT_EQ(updates.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(updates.status().message()), HasSubstr(one.why));
  }
}

TEST(ClientAttributesTest, TheRoomIsForAllTogetherAndANewValueReplaces) {
  const std::string half =
      "\"" + std::string(kMaxAttributeBytes / 2, 'v') + "\"";
  const Metadata present = {{{":attributes", "a"}, {true, half}}};
  EXPECT_THAT(std::string(AttributeUpdates(present, std::nullopt, {{"b", half}})
                              .status()
                              .message()),
              HasSubstr("there is room for 65536 in all"));
  EXPECT_TRUE(AttributeUpdates(present, std::nullopt, {{"a", half}}).ok());
}

}  // namespace
}  // namespace vernier
