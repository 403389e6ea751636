#include "trials/user_attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(UserAttributesTest, AreTheTextsOfTheirNamespace) {
  const Metadata metadata = {{{"", "note"}, {true, "a client's own"}},
                             {{":attributes", "bytes"}, {false, "\x01"}},
                             {{":attributes", "fold"}, {true, "3"}},
                             {{":attributes", "git"}, {true, "\"a1\""}},
                             {{":z", "other"}, {true, "1"}}};
  EXPECT_THAT(AttributesOf(metadata),
              UnorderedElementsAre(Pair("fold", "3"), Pair("git", "\"a1\"")));
}

TEST(UserAttributesTest, UpdatesNameTheTrial) {
  const auto updates =
      AttributeUpdates({}, TrialId{4}, {{"fold", "[1, null]"}});
  ASSERT_TRUE(updates.ok()) << updates.status();
  ASSERT_EQ(updates->size(), 1u);
  EXPECT_EQ(updates->front().trial, TrialId{4});
  EXPECT_THAT(updates->front().key, Pair(":attributes", "fold"));
  EXPECT_EQ(updates->front().value, (MetadataValue{true, "[1, null]"}));
}

TEST(UserAttributesTest, AreRefusedWithTheirName) {
  const std::string large = "\"" + std::string(kMaxAttributeBytes, 'v') + "\"";
  const struct {
    UserAttributes set;
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

TEST(UserAttributesTest, TheRoomIsForAllTogetherAndANewValueReplaces) {
  const std::string half =
      "\"" + std::string(kMaxAttributeBytes / 2, 'v') + "\"";
  const Metadata present = {{{":attributes", "a"}, {true, half}}};
  EXPECT_THAT(std::string(AttributeUpdates(present, std::nullopt, {{"b", half}})
                              .status()
                              .message()),
              HasSubstr("there is room for 65536 in all"));
  EXPECT_TRUE(AttributeUpdates(present, std::nullopt, {{"a", half}}).ok());
}

TEST(UserAttributesTest, WhatIsThereAlreadyIsNotSetAgain) {
  const Metadata present = {{{":attributes", "a"}, {true, "1"}}};
  const auto updates =
      AttributeUpdates(present, TrialId{1}, {{"a", "1"}, {"b", "2"}});
  ASSERT_TRUE(updates.ok()) << updates.status();
  ASSERT_EQ(updates->size(), 1u);
  EXPECT_EQ(updates->front().key.second, "b");
}

TEST(UserAttributesTest, OfAProgramTheGoodOnesAreSetAndTheOthersNamed) {
  const std::string large = "\"" + std::string(kMaxAttributeBytes, 'v') + "\"";
  std::vector<std::string> problems;
  const auto updates = AttributeUpdatesOfProgram(
      {}, TrialId{2}, {{"", "1"}, {"good", "[1]"}, {"large", large}},
      &problems);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates.front().trial, TrialId{2});
  EXPECT_THAT(updates.front().key, Pair(":attributes", "good"));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(problems[1], HasSubstr("attribute \"large\" was not set"));
}

TEST(UserAttributesTest, ATrialHasANoteBesideThem) {
  const auto update = NoteUpdate(TrialId{3}, "look at it");
  ASSERT_TRUE(update.ok()) << update.status();
  const Metadata metadata = {{update->key, update->value}};
  EXPECT_EQ(NoteOf(metadata), "look at it");
  EXPECT_TRUE(AttributesOf(metadata).empty());
  EXPECT_EQ(NoteOf({}), "");
  EXPECT_THAT(
      std::string(NoteUpdate(TrialId{3}, std::string(kMostNoteBytes + 1, 'n'))
                      .status()
                      .message()),
      HasSubstr("at most 16384 bytes, not 16385"));
}

// A client of another protocol may put any bytes there.
TEST(UserAttributesTest, BytesAreNoNote) {
  EXPECT_EQ(NoteOf({{{":vernier", "note"}, {true, "good"}}}), "good");
  EXPECT_EQ(NoteOf({{{":vernier", "note"}, {false, "\xff"}}}), "");
}

}  // namespace
}  // namespace vernier
