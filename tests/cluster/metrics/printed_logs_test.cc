// Logs as libraries print them, recorded in logs/: the value that a person
// would read off the end of each is the one that is taken.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "cluster/metrics/metric_lines.h"
#include "cluster/metrics/stdout_metrics.h"
#include "cluster/metrics/thinning.h"

namespace vernier {
namespace {

struct LogCase {
  const char* file;
  const char* metric;
  double last;
  std::vector<std::int64_t> steps;
};

std::vector<LogCase> Cases() {
  return {
      {"xgboost.log", "eval-rmse", 0.21358, {0, 5, 10, 15, 19}},
      {"xgboost.log", "train-rmse", 0.13510, {0, 5, 10, 15, 19}},
      // The last line is of the best round, which the model is of.
      {"lightgbm.log", "l2", 1.40296, {5, 10, 16}},
      {"lightgbm.log", "valid_0's l2", 1.40296, {5, 10, 16}},
      {"sklearn_mlp.log",
       "loss",
       0.63239391,
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
      {"sklearn_boosting.log",
       "Train Loss",
       0.1238,
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
      {"sklearn_search.log", "score", 0.417, {1, 2, 3, 4}},
      {"tqdm.log", "loss", 0.0333, {1}},
      {"tqdm.log", "train_loss", 0.143, {0, 1, 2}},
      {"keras.log", "val_accuracy", 0.92, {1, 2, 3}},
      {"keras.log", "loss", 0.2254, {1, 2, 3}},
      {"keras_lines.log", "val_loss", 0.1826, {1, 2, 3}},
      {"huggingface.log", "loss", 0.6932, {1, 2, 3}},
      {"huggingface.log", "eval_loss", 0.6928502321243286, {1, 2, 3}},
      {"huggingface.log", "train_loss", 0.6934402624766032, {3}},
      // The bar has the last epoch's value until the new one is known.
      {"lightning.log", "val_loss", 0.10346662253141403, {0, 1, 2, 3}},
      {"lightning.log", "train_loss", 0.153, {0, 1, 2}},
      {"fastai.log", "valid_loss", 1.334459, {0, 1, 2}},
      {"catboost.log", "test", 0.2977599, {0, 5, 10, 15, 20, 25, 29}},
      {"catboost.log", "learn", 0.2443478, {0, 5, 10, 15, 20, 25, 29}},
      {"ignite.log", "Avg accuracy", 0.99, {1, 2, 3}},
      {"ignite.log", "Avg loss", 0.2283, {1, 2, 3}},
      {"lightgbm_cv.log", "valid's auc", 0.747863, {4, 8, 12}},
      {"lightgbm_cv.log", "binary_logloss", 0.597509, {4, 8, 12}},
      {"pytorch.log", "val_loss", 0.37679, {1, 2, 3}},
      {"pytorch.log", "Average loss", 0.3768, {1, 2, 3}},
      {"pytorch.log", "Loss", 0.355641, {1, 2, 3}},
      {"sklearn_grid.log", "best score", 0.996873, {1}},
      {"sklearn_hist.log", "val loss", 0.44754, {1, 2, 3, 4, 5, 6}},
      {"sklearn_sgd.log", "Avg. loss", 3.257802, {1, 2, 3, 4, 5, 6}},
      // Each epoch has a line, and then the bar above, which rounds.
      {"tqdm_nested.log", "val_loss", 0.167, {1, 2, 3, 4, 5, 6}},
      {"tqdm_nested.log", "acc", 0.8, {1, 2, 3, 4, 5, 6}},
      {"xgboost_early.log", "validation-logloss", 0.62108, {0, 1, 2, 3}},
      {"xgboost_early.log", "train-auc", 0.97796, {0, 1, 2, 3}},
  };
}

std::string ReadLog(const std::string& name) {
  std::ifstream file(
      std::string(VERNIER_TESTDATA_DIR) + "/cluster/metrics/logs/" + name,
      std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// All that tells measurements apart, and what they say.
std::string TextOf(const std::vector<Measurement>& list) {
  std::string text;
  for (const Measurement& one : list) {
    text += one.metric + " " + std::to_string(one.step) + " at " +
            std::to_string(one.reported_at.time_since_epoch().count()) + " " +
            std::to_string(one.value) + "\n";
  }
  return text;
}

// What a reader finds in a file that grows by pieces of at most `most` bytes.
template <typename Reader>
std::vector<Measurement> ReadInPieces(Reader reader, const std::string& file,
                                      std::mt19937& rng, std::size_t most) {
  CurveThinner thinner;
  std::vector<Measurement> kept;
  const auto read = [&](std::size_t end, LastLine last_line) {
    const std::string piece = file.substr(reader.offset(), end);
    for (Measurement& one : reader.Read(piece, last_line).measurements) {
      thinner.Take(std::move(one), kept);
    }
  };
  std::size_t size = 0;  // Of the file so far.
  while (size < file.size()) {
    size = std::min(file.size(), size + 1 + rng() % most);
    read(size - reader.offset(), LastLine::kMayGrow);
  }
  read(file.size(), LastLine::kIsDone);
  thinner.Finish(kept);
  return kept;
}

TEST(PrintedLogsTest, TheLastValueIsTheOneAtTheEnd) {
  for (const LogCase& test : Cases()) {
    SCOPED_TRACE(std::string(test.file) + " " + test.metric);
    const StdoutRules rules{{test.metric}, {}};
    std::mt19937 rng(1);
    const std::string log = ReadLog(test.file);
    const std::vector<Measurement> found =
        ReadInPieces(StdoutMetricReader(rules), log, rng, log.size() + 1);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.back().value, test.last);
    std::vector<std::int64_t> steps;
    for (const Measurement& one : found) steps.push_back(one.step);
    // A bar is printed again and again.
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    EXPECT_EQ(steps, test.steps) << TextOf(found);
  }
}

TEST(PrintedLogsTest, TheSameBytesGiveTheSameMeasurementsHoweverTheyCome) {
  constexpr unsigned kSeed = 34;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  for (const LogCase& test : Cases()) {
    SCOPED_TRACE(test.file);
    const StdoutRules rules{{test.metric}, {}};
    const StdoutMetricReader reader(rules);
    const std::string log = ReadLog(test.file);
    const std::string whole =
        TextOf(ReadInPieces(reader, log, rng, log.size() + 1));
    for (const std::size_t most :
         {std::size_t{1}, std::size_t{7}, std::size_t{300}}) {
      EXPECT_EQ(TextOf(ReadInPieces(reader, log, rng, most)), whole) << most;
    }
  }
}

// A log, and a file of lines, of what programs might say in any order.
TEST(PrintedLogsTest, SoDoBytesOfAnyProgram) {
  constexpr unsigned kSeed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 rng(kSeed);
  const std::vector<std::string> lines = {
      "step 3 loss=0.5\n",
      "loss=0.25\n",
      "epoch 1 step 5 loss: 1\n",
      "\r10% loss=3",
      "\rEpoch 2: loss=4",
      "\n",
      "loss  acc\n1  2\n",
      "{'loss': 1, 'epoch': 0.5}\n",
      "{\"loss\": 1}\n",
      "{\"step\": 2, \"loss\": 3, \"time\": 5}\n",
      "{\"loss\": 2, \"time\": 1700000000}\n"};
  const StdoutRules rules{{"loss"}, {}};
  for (int i = 0; i < 100; ++i) {
    std::string file;
    for (std::size_t k = rng() % 60; k > 0; --k) {
      file += lines[rng() % lines.size()];
    }
    const StdoutMetricReader printed(rules);
    const MetricLinesReader written;
    const std::size_t most = 1 + rng() % 40;
    EXPECT_EQ(TextOf(ReadInPieces(printed, file, rng, most)),
              TextOf(ReadInPieces(printed, file, rng, file.size() + 1)))
        << file;
    EXPECT_EQ(TextOf(ReadInPieces(written, file, rng, most)),
              TextOf(ReadInPieces(written, file, rng, file.size() + 1)))
        << file;
  }
}

}  // namespace
}  // namespace vernier
