#include "cluster/metrics/tensorboard/event_metric_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "study/measurement.h"

namespace vernier {
namespace {

using Texts = std::vector<std::string>;

Texts Names(const std::string& folder, const std::string& tag) {
  Texts names;
  for (const EventMetricName& name : EventMetricNames(folder, tag)) {
    names.push_back(name.metric);
  }
  return names;
}

EventSeriesRank RankOf(const std::string& folder, const std::string& tag,
                       const std::string& metric) {
  for (const EventMetricName& name : EventMetricNames(folder, tag)) {
    if (name.metric == metric) return name.rank;
  }
  ADD_FAILURE() << folder << " " << tag << " is not " << metric;
  return {};
}

TEST(EventMetricNamesTest, ATagIsItsOwnNameAndOneWithTheFolder) {
  EXPECT_EQ(Names("", "loss"), Texts{"loss"});
  EXPECT_EQ(Names(".", "train/loss"), Texts{"train/loss"});
  EXPECT_EQ(Names("runs/Nov22_host", "loss"),
            (Texts{"loss", "Nov22_host/loss", "runs/Nov22_host/loss"}));
  EXPECT_EQ(Names("./a//b/", "loss"), (Texts{"loss", "b/loss", "a/b/loss"}));
}

TEST(EventMetricNamesTest, ListsADecidedFolderWithTheTag) {
  EXPECT_EQ(Names("keras_tensorboard/validation", "epoch_loss"),
            (Texts{"validation/epoch_loss", "epoch_loss",
                   "keras_tensorboard/validation/epoch_loss"}));
  EXPECT_EQ(Names("eval_holdout/part", "loss"),
            (Texts{"eval_holdout/part/loss", "loss", "part/loss"}));
}

TEST(EventMetricNamesTest, KnowsWhatAFolderIsFor) {
  const struct {
    const char* folder;
    EventFolderKind kind;
  } kCases[] = {
      {"", EventFolderKind::kUndecided},
      {"runs/Nov22_host", EventFolderKind::kUndecided},
      {"keras_tensorboard/train", EventFolderKind::kTraining},
      {"catboost_info/learn", EventFolderKind::kTraining},
      {"catboost_info/test", EventFolderKind::kTest},
      {"Validation", EventFolderKind::kValidation},
      {"eval", EventFolderKind::kValidation},
      {"eval_my-set", EventFolderKind::kValidation},
      {"loss_train", EventFolderKind::kTraining},  // torch's add_scalars
      {"loss_val", EventFolderKind::kValidation},
      {"both/validation", EventFolderKind::kValidation},
      {"test_run_1", EventFolderKind::kUndecided},
      {"trainer", EventFolderKind::kUndecided},
      {"evaluation/train", EventFolderKind::kTraining},  // The last one counts.
      {"train/2024-01-01", EventFolderKind::kTraining},
  };
  for (const auto& test : kCases) {
    const auto names = EventMetricNames(test.folder, "loss");
    ASSERT_FALSE(names.empty());
    for (const auto& name : names) {
      EXPECT_EQ(name.rank.kind, test.kind) << test.folder;
    }
  }
}

TEST(EventMetricNamesTest, ValidationBeatsTestBeatsOthersBeatTraining) {
  const auto rank = [](const std::string& folder) {
    return RankOf(folder, "loss", "loss");
  };
  EXPECT_GT(rank("validation"), rank("test"));
  EXPECT_GT(rank("test"), rank(""));
  EXPECT_GT(rank(""), rank("train"));
  EXPECT_EQ(rank(""), rank("logs"));
  EXPECT_EQ(rank("eval"), rank("logs/validation"));
}

TEST(EventMetricNamesTest, ATagThatWasWrittenSoBeatsOneWithAFolder) {
  EXPECT_GT(RankOf("train", "validation/loss", "validation/loss"),
            RankOf("validation", "loss", "validation/loss"));
}

TEST(EventMetricNamesTest, ALaterVersionBeatsAnEarlierOne) {
  const auto rank = [](const std::string& folder) {
    return RankOf(folder, "loss", "loss");
  };
  EXPECT_GT(rank("lightning_logs/version_10"),
            rank("lightning_logs/version_9"));
  EXPECT_EQ(rank("lightning_logs/version_x"), rank("lightning_logs"));
  EXPECT_EQ(rank("version_-3"), rank(""));
}

TEST(EventMetricNamesTest, LeavesOutNamesThatAreTooLong) {
  const std::string tag(kMaxMetricName - 5, 'a');
  EXPECT_EQ(Names("validation", tag), Texts{tag});
  EXPECT_EQ(Names("v/w/x", tag), (Texts{tag, "x/" + tag, "w/x/" + tag}));
  EXPECT_TRUE(Names("", std::string(kMaxMetricName + 1, 'a')).empty());
}

TEST(EventMetricNamesTest, GivesABoundedNumberOfNames) {
  std::string folder = "validation";
  for (int i = 0; i < 100; ++i) folder += "/a";
  EXPECT_EQ(EventMetricNames(folder, "b").size(), 16u);
  EXPECT_EQ(EventMetricNames(folder, "b")[0].metric, "b");
}

}  // namespace
}  // namespace vernier
