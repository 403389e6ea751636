#include "cluster/kubernetes/observed_objects.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/timestamp_text.h"
#include "cluster/kubernetes/line_splitter.h"

namespace vernier {
namespace {

constexpr char kPod[] = R"({"type":"MODIFIED","object":{"kind":"Pod",
"metadata":{"name":"p","uid":"u","resourceVersion":"42",
"deletionTimestamp":"2026-02-03T04:05:38Z","deletionGracePeriodSeconds":30,
"labels":{"vernier/attempt":"n","batch.kubernetes.io/job-name":"g-worker-3"}},
"spec":{"nodeName":"n1"},"status":{"phase":"Failed","reason":"Evicted",
"message":"low on memory","conditions":[
{"type":"PodScheduled","status":"True","reason":"x"},
{"type":"DisruptionTarget","status":"True","reason":"TerminationByKubelet",
"message":"words","lastTransitionTime":"2026-02-03T04:05:07Z"}],
"containerStatuses":[{"state":{"terminated":{"exitCode":137,
"reason":"OOMKilled","startedAt":"2026-02-03T04:05:06Z",
"finishedAt":"2026-02-03T04:05:09Z"}}}]}}})";

TEST(ObservedObjectsTest, ReadsAPod) {
  const auto change = ReadChange(kPod, true);
  ASSERT_TRUE(change.ok()) << change.status();
  EXPECT_EQ(change->kind, ObservedChange::Kind::kPresent);
  EXPECT_EQ(change->resource_version, "42");
  const ObservedPod& pod = *change->object.pod;
  EXPECT_EQ(pod.nonce, "n");
  EXPECT_EQ(pod.job, "g-worker-3");
  EXPECT_EQ(pod.node, "n1");
  EXPECT_EQ(pod.reason, "Evicted");
  EXPECT_EQ(pod.unscheduled_reason, "");
  EXPECT_EQ(pod.disruption, "TerminationByKubelet");
  EXPECT_EQ(pod.deletion_asked_at, ParseTimestamp("2026-02-03T04:05:08Z"));
  EXPECT_TRUE(pod.has_started);
  EXPECT_EQ(pod.end->exit_code, 137);
  EXPECT_EQ(pod.end->reason, "OOMKilled");
}

TEST(ObservedObjectsTest, ReadsWhatStandsForAnAttempt) {
  const auto page = ReadListing(
      R"({"metadata":{"resourceVersion":"7","continue":"more"},"items":[
{"metadata":{"name":"g","uid":"u","labels":{"vernier/attempt":"n"}},
"spec":{"suspend":true},"status":{"conditions":[
{"type":"Failed","status":"True","reason":"FailedJobs","message":"words"}]}}]})",
      false);
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->resource_version, "7");
  EXPECT_EQ(page->next, "more");
  const ObservedPrimary& primary = *page->objects.at(0).primary;
  EXPECT_TRUE(primary.is_suspended);
  EXPECT_TRUE(primary.is_failed);
  EXPECT_FALSE(primary.is_complete);
  EXPECT_FALSE(primary.is_revoked);
  EXPECT_EQ(primary.failure_reason, "FailedJobs");
}

TEST(ObservedObjectsTest, ReadsTheOtherLinesOfAWatch) {
  using Kind = ObservedChange::Kind;
  EXPECT_EQ(ReadChange(R"({"type":"ERROR","object":{"code":410}})", true)->kind,
            Kind::kExpired);
  EXPECT_EQ(ReadChange(R"({"type":"ERROR","object":{"code":500}})", true)->kind,
            Kind::kError);
  const auto bookmark = ReadChange(
      R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}})",
      true);
  EXPECT_EQ(bookmark->kind, Kind::kBookmark);
  EXPECT_EQ(bookmark->resource_version, "9");
  EXPECT_FALSE(ReadChange("{}", true).ok());
}

TEST(ObservedObjectsTest, AnErrorIsNoListing) {
  EXPECT_FALSE(
      ReadListing(R"({"kind":"Status","code":500,"message":"x"})", true).ok());
  EXPECT_FALSE(ReadListing("{}", true).ok());
  EXPECT_FALSE(ReadListing("", true).ok());
  EXPECT_TRUE(
      ReadListing(R"({"metadata":{"resourceVersion":"1"},"items":null})", true)
          .ok());
}

TEST(ObservedObjectsTest, APageOfHtmlIsShownAsWhatItIs) {
  EXPECT_EQ(ReadListing("<html>\nhello</html>", true).status().message(),
            "the answer is no listing: <html>\\x0ahello</html>");
}

TEST(ObservedObjectsTest, AListingHasNoMoreValuesThanFitIntoMemory) {
  std::string text = R"({"metadata":{"resourceVersion":"1"},"items":[0)";
  for (int i = 0; i < 2'000'000; ++i) text += ",0";
  const auto page = ReadListing(text + "]}", true);
  EXPECT_TRUE(absl::IsInvalidArgument(page.status())) << page.status();
}

TEST(ObservedObjectsTest, TellsAnErrorInTheServersWords) {
  EXPECT_EQ(WordsOfReply({403, R"({"message":"pods is forbidden"})"}),
            "pods is forbidden (403)");
  EXPECT_EQ(WordsOfReply({502, "bad gateway"}), "bad gateway (502)");
}

TEST(ObservedObjectsTest, FindsTheNewestEvent) {
  EXPECT_EQ(NewestEvent(R"({"items":[
{"reason":"A","message":"old","lastTimestamp":"2026-02-03T04:05:06Z"},
{"reason":"B","message":"new","lastTimestamp":"2026-02-03T04:05:08Z"},
{"reason":"C","message":"mid","lastTimestamp":"2026-02-03T04:05:07Z"}]})"),
            "B: new");
  EXPECT_EQ(NewestEvent("no json"), "");
}

TEST(ObservedObjectsTest, SurvivesAnyBytes) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::string text = kPod;
    for (int k = 0; k < 4; ++k) {
      text[random() % text.size()] = "{}[]\",:0n\\x"[random() % 11];
    }
    static_cast<void>(ReadChange(text, true));
    static_cast<void>(ReadChange(text, false));
    static_cast<void>(ReadListing(text, true));
    static_cast<void>(NewestEvent(text));
  }
  EXPECT_FALSE(ReadChange(std::string(1 << 20, '['), true).ok());
}

TEST(LineSplitterTest, HasABoundAndKeepsIt) {
  LineSplitter lines(5);
  std::string seen;
  const auto take = [&](std::string_view line) {
    seen += "<" + std::string(line) + ">";
  };
  EXPECT_TRUE(lines.Add("a\nbc", take));
  EXPECT_TRUE(lines.Add("de\n\nx", take));
  EXPECT_EQ(seen, "<a><bcde><>");
  EXPECT_FALSE(lines.Add("12345", take));
  EXPECT_FALSE(lines.Add("\nz\n", take));
  EXPECT_EQ(seen, "<a><bcde><>");
  EXPECT_EQ(lines.rest(), "");
}

}  // namespace
}  // namespace vernier
