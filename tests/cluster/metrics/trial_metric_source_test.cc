#include "cluster/metrics/trial_metric_source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cluster/in_place_command.h"
#include "tests/cluster/metrics/tensorboard/event_builder.h"
#include "tests/cluster/metrics/trackio/trackio_builder.h"
#include "tests/cluster/metrics/wandb_builder.h"
#include "tests/fakes/manual_clock.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Texts = std::vector<std::string>;

constexpr char kEvents[] = "events.out.tfevents.1700000000.machine";

std::string Event(std::int64_t step, const std::string& tag, float value) {
  return Framed(DoubleField(1, 1700000000 + static_cast<double>(step)) +
                VarintField(2, static_cast<std::uint64_t>(step)) +
                BytesField(5, BytesField(1, SimpleValue(tag, value))));
}

void AppendText(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

std::string Show(const Measurement& one) {
  std::string value = std::to_string(one.value);
  value.erase(value.find_last_not_of('0') + 1);
  return absl::StrCat(one.metric, "@", one.step, "=", value, " ",
                      std::string(ToString(one.road)));
}

std::string Show(const CurveRestart& one) {
  return absl::StrCat(one.metric, ">=", one.from_step, " before ",
                      one.at.time_since_epoch() / seconds(1), " ",
                      std::string(ToString(one.road)));
}

class TrialMetricSourceTest : public testing::Test {
 protected:
  TrialMetricSourceTest() {
    fs::create_directories(run_ / "metrics");
    fs::create_directories(run_ / "logs");
    spec_.training_input.job_dir = output_.path();
    spec_.training_input.hyperparameters.emplace();
    spec_.training_input.hyperparameters->metric_tag = "accuracy";
  }

  LiveAttempt Attempt() const {
    LiveAttempt attempt;
    attempt.attempt = {StudyId{1}, TrialId{7}, 1};
    attempt.run_dir = run_.path();
    attempt.intended_at = SystemClock().Now() - seconds(60);
    return attempt;
  }
  // Of a source that looks every time.
  Texts Read(bool final = false) {
    reading_ = source_.Read(Attempt(), spec_, final);
    Texts texts;
    for (const Measurement& one : reading_.measurements) {
      texts.push_back(Show(one));
    }
    return texts;
  }
  // Those of the last Read.
  Texts Restarts() const {
    Texts texts;
    for (const CurveRestart& one : reading_.restarts) {
      texts.push_back(Show(one));
    }
    return texts;
  }
  std::string Output(const std::string& name) const {
    return output_ / ("7/" + name);
  }
  std::string Log() const { return run_ / "logs/master-replica-0.log"; }
  std::string Lines(const std::string& replica = "master-replica-0") const {
    return run_ / ("metrics/" + replica + ".jsonl");
  }

  const SystemClock clock_{};
  const ScratchFolder run_;
  const ScratchFolder output_;
  JobSpec spec_;
  TrialMetricSource source_{{milliseconds(0), false, 0, {}}, clock_};
  MetricReading reading_;
};

TEST_F(TrialMetricSourceTest, HearsEveryRoad) {
  WriteText(run_ / "metrics/master-replica-0.metrics",
            "{\"accuracy\": \"0.5\", \"global_step\": \"1\", \"timestamp\": "
            "1.5}\n");
  WriteText(Lines(), "{\"accuracy\": 0.25, \"step\": 2}\n");
  WriteText(Output(kEvents), Event(3, "accuracy", 0.75F));
  WriteText(Log(), "step 4: accuracy=0.125\n");
  EXPECT_EQ(
      Read(),
      (Texts{"accuracy@1=0.5 HYPERTUNE_FILE", "accuracy@2=0.25 METRIC_FILE",
             "accuracy@3=0.75 TENSORBOARD", "accuracy@4=0.125 STDOUT"}));
  EXPECT_EQ(Read(), Texts{});
  EXPECT_EQ(Read(true), Texts{});
}

// It is below the attempt's folder where trials share that of their code.
TEST_F(TrialMetricSourceTest, ReadsWhatIsLoggedToWandb) {
  WandbBuilder builder;
  builder.History(
      {{"accuracy", "0.5"}, {"_step", "1"}, {"_timestamp", "17e8"}});
  const std::string file = "wandb/offline-run-1/run-1.wandb";
  WriteText(Output(file), builder.file());
  AppendText(
      run_ / ("metrics/" + file),
      WandbBuilder().History({{"accuracy", "0.25"}, {"_step", "2"}}).file());
  AppendText(
      run_ / "metrics/wandb-worker-replica-0/wandb/run-1/run-1.wandb",
      WandbBuilder().History({{"accuracy", "9"}, {"_step", "3"}}).file());
  EXPECT_EQ(Read(), (Texts{"accuracy@1=0.5 WANDB", "accuracy@2=0.25 WANDB"}));
  builder.History(
      {{"accuracy", "0.75"}, {"_step", "2"}, {"_timestamp", "17e8"}});
  WriteText(Output(file), builder.file());
  EXPECT_EQ(Read(true), Texts{"accuracy@2=0.75 WANDB"});
  spec_.vernier.metric_sources = {MetricSourceKind::kTensorBoard};
  source_.Forget(Attempt().attempt);
  EXPECT_EQ(Read(true), Texts{});
}

TEST_F(TrialMetricSourceTest, ReadsWhatIsLoggedToTrackio) {
  TrackioBuilder database(run_ / "metrics/trackio/p.db");
  database.Log(1, R"({"accuracy":0.5})");
  TrackioBuilder(run_ / "metrics/trackio-worker-replica-0/p.db")
      .Log(2, R"({"accuracy":9})");
  EXPECT_EQ(Read(), Texts{"accuracy@1=0.5 TRACKIO"});
  database.Log(2, R"({"accuracy":0.75})");
  EXPECT_EQ(Read(true), Texts{"accuracy@2=0.75 TRACKIO"});
  EXPECT_TRUE(IsClearer(MetricRoad::kTrackio, MetricRoad::kValidationEvents));
  EXPECT_TRUE(IsClearer(MetricRoad::kHypertuneFile, MetricRoad::kTrackio));
  spec_.vernier.metric_sources = {MetricSourceKind::kWandb};
  source_.Forget(Attempt().attempt);
  EXPECT_EQ(Read(true), Texts{});
}

TEST_F(TrialMetricSourceTest, ReadsTheTablesOfLoggers) {
  const std::string table = Output("lightning_logs/version_0/metrics.csv");
  WriteText(table, "epoch,step,accuracy\n0,9,0.5\n");
  EXPECT_EQ(Read(), Texts{"accuracy@9=0.5 CSV_FILE"});
  const Timestamp first = reading_.measurements[0].reported_at;
  AppendText(table, "1,19,0.25\n");
  EXPECT_EQ(Read(), Texts{"accuracy@19=0.25 CSV_FILE"});
  // Lightning writes the table anew when there is another metric.
  WriteText(table, "epoch,step,accuracy,loss\n0,9,0.5,\n1,19,0.25,\n1,19,,2\n");
  EXPECT_EQ(Read(),
            (Texts{"accuracy@9=0.5 CSV_FILE", "accuracy@19=0.25 CSV_FILE",
                   "loss@19=2. CSV_FILE"}));
  EXPECT_EQ(reading_.measurements[0].reported_at, first);
  // What is started again goes on in the next table.
  WriteText(Output("lightning_logs/version_1/metrics.csv"),
            "epoch,step,accuracy\n0,9,0.75\n");
  EXPECT_EQ(Read(), Texts{"accuracy@9=0.75 CSV_FILE"});
  EXPECT_GT(reading_.measurements[0].reported_at, first);
  EXPECT_EQ(Restarts(), Texts{"accuracy>=9 before 3600 CSV_FILE"});
  EXPECT_EQ(reading_.problems, Texts{});
}

// As with the folds of a cross-validation.
TEST_F(TrialMetricSourceTest, SaysThatSeveralRunsHaveTheMetric) {
  WriteText(Output(std::string("fold0/") + kEvents),
            Event(1, "accuracy", 0.5F));
  WriteText(Output(std::string("fold0/1700000000.25/") + kEvents),
            Event(1, "accuracy", 0.5F));
  Read();
  EXPECT_EQ(reading_.problems, Texts{});
  WriteText(Output(std::string("fold1/") + kEvents),
            Event(2, "accuracy", 0.25F));
  WriteText(Output(std::string("validation/") + kEvents),
            Event(2, "accuracy", 0.25F));
  Read();
  EXPECT_EQ(reading_.problems,
            Texts{"\"accuracy\" is in event files of the folders \"fold0\" and "
                  "\"fold1\"; their values count together, in the order of "
                  "their times"});
}

TEST_F(TrialMetricSourceTest, ATableThatWasWrittenAnewIsReadAgain) {
  const std::string table = Output("log.csv");
  WriteText(table, "epoch,accuracy\n0,0.5\n1,0.25\n");
  EXPECT_EQ(Read(),
            (Texts{"accuracy@0=0.5 CSV_FILE", "accuracy@1=0.25 CSV_FILE"}));
  const Timestamp last = reading_.measurements.back().reported_at;
  // It is longer than before, and its head is the same.
  WriteText(table, "epoch,accuracy\n0,0.125\n1,0.625\n2,0.75\n");
  EXPECT_EQ(Read(),
            (Texts{"accuracy@0=0.125 CSV_FILE", "accuracy@1=0.625 CSV_FILE",
                   "accuracy@2=0.75 CSV_FILE"}));
  EXPECT_GT(reading_.measurements.front().reported_at, last);
}

// With --no-copy, trials that run one after the other share the folder.
TEST_F(TrialMetricSourceTest, RowsOfEarlierTrialsInTheSameTableDoNotCount) {
  const ScratchFolder place;
  spec_.vernier.command = CommandInFolder(place.path(), {"true"});
  const std::string table = place / "log.csv";
  const auto read = [&](std::int64_t trial, int number, bool final) {
    LiveAttempt attempt = Attempt();
    attempt.attempt = {StudyId{1}, TrialId{trial}, number};
    Texts texts;
    for (const Measurement& one :
         source_.Read(attempt, spec_, final).measurements) {
      texts.push_back(Show(one));
    }
    if (final) source_.Forget(attempt.attempt);
    return texts;
  };
  WriteText(table, "epoch,accuracy\n0,0.5\n");
  fs::last_write_time(table,
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(read(1, 1, false), Texts{});
  AppendText(table, "1,0.25\n");
  EXPECT_EQ(read(1, 1, true), Texts{"accuracy@1=0.25 CSV_FILE"});
  // The trial's next attempt may go on with the first one's rows.
  AppendText(table, "2,0.125\n");
  EXPECT_EQ(read(1, 2, true).back(), "accuracy@2=0.125 CSV_FILE");
  AppendText(table, "0,0.75\n");
  EXPECT_EQ(read(2, 1, true), Texts{"accuracy@0=0.75 CSV_FILE"});
  WriteText(table, "epoch,accuracy\n0,0.5\n1,0.25\n2,0.375\n3,0.625\n4,1\n");
  EXPECT_EQ(read(3, 1, true).size(), 5u);
}

// The trial's message says then that its value is an earlier one.
TEST_F(TrialMetricSourceTest, NamesWhatCameBehindTheLastValueOfATable) {
  WriteText(Output("log.csv"),
            "epoch;accuracy;loss\n0;0.5;1\n1;0,4;1\n2;0,3;1\n");
  EXPECT_EQ(Read(true).front(), "accuracy@0=0.5 CSV_FILE");
  ASSERT_EQ(reading_.later_misses.size(), 1u);
  EXPECT_EQ(reading_.later_misses[0].metric, "accuracy");
  EXPECT_EQ(reading_.later_misses[0].text,
            "row 3 of the CSV file has no number that can be read as "
            "\"accuracy\": 0,3");
}

TEST_F(TrialMetricSourceTest, OfTwoTablesOneCounts) {
  WriteText(Output("fold1.csv"), "epoch,accuracy\n0,0.5\n");
  WriteText(Output("fold2.csv"), "epoch,accuracy\n0,0.25\n");
  EXPECT_EQ(Read(), Texts{"accuracy@0=0.5 CSV_FILE"});
  EXPECT_EQ(
      reading_.problems,
      Texts{"\"accuracy\" is a column of fold1.csv and of fold2.csv; only "
            "the first is read"});
}

TEST_F(TrialMetricSourceTest, ListensOnlyWhereTheJobSays) {
  spec_.vernier.metric_sources = {MetricSourceKind::kMetricFile};
  WriteText(run_ / "metrics/master-replica-0.metrics",
            "{\"accuracy\": \"0.5\", \"global_step\": \"1\"}\n");
  WriteText(Lines(), "{\"accuracy\": 0.25, \"step\": 2}\n");
  WriteText(Output(kEvents), Event(3, "accuracy", 0.75F));
  WriteText(Log(), "step 4: accuracy=0.125\n");
  EXPECT_EQ(Read(true), (Texts{"accuracy@2=0.25 METRIC_FILE"}));
}

// A full disk cut the last line, perhaps within its number.
TEST_F(TrialMetricSourceTest, TheLastLineOfAnOutputWithAHoleIsNotTaken) {
  AppendText(Log(), "accuracy=0.5\naccuracy=0.9");
  AppendText(run_ / "logs/master-replica-0.lost", "37 37 28\n");
  EXPECT_EQ(Read(), Texts({"accuracy@1=0.5 STDOUT"}));
  EXPECT_EQ(Read(/*final=*/true), Texts());
  ASSERT_EQ(reading_.problems.size(), 1u);
  EXPECT_EQ(reading_.problems[0],
            "in the log, 37 bytes of output were lost here: no space left on "
            "device");
}

// The disk had room again before anybody looked.
TEST_F(TrialMetricSourceTest, ARecordThatIsCutOffAndLostOutputAreAFullDisk) {
  WriteText(Lines(), "{\"accuracy\": 0.5}\n{\"accu");
  WriteText(Log(), "hello\n");
  EXPECT_EQ(Read(/*final=*/true), Texts({"accuracy@1=0.5 METRIC_FILE"}));
  EXPECT_EQ(reading_.full_disk, "") << "no output is lost";
  ASSERT_EQ(reading_.later_misses.size(), 1u);
  EXPECT_EQ(reading_.later_misses[0].metric, "accuracy");
  EXPECT_EQ(reading_.later_misses[0].road, MetricRoad::kMetricFile);
  EXPECT_EQ(reading_.later_misses[0].text,
            "line 2 of VERNIER_METRICS is not a JSON object: {\"accu");
  AppendText(run_ / "logs/master-replica-0.lost", "37 37 28\n");
  Read(/*final=*/true);
  EXPECT_EQ(reading_.full_disk,
            "its metric files, the last record of which is cut off");
}

TEST_F(TrialMetricSourceTest, SaysWhatWasPrintedAfterTheLastValue) {
  WriteText(Log(), "accuracy=0.5\naccuracy=0,25\n");
  EXPECT_EQ(Read(/*final=*/true), Texts({"accuracy@1=0.5 STDOUT"}));
  ASSERT_EQ(reading_.later_misses.size(), 1u);
  EXPECT_EQ(reading_.later_misses[0].road, MetricRoad::kStdout);
  EXPECT_EQ(Texts{reading_.later_misses[0].text}, reading_.problems);
}

TEST_F(TrialMetricSourceTest, FollowsWhatGrows) {
  const std::string event = Event(2, "accuracy", 0.5F);
  AppendText(Output(kEvents), Event(1, "accuracy", 0.25F) + event.substr(0, 9));
  AppendText(Log(), "accuracy: 0.1 (epo");
  AppendText(Lines(), "{\"accuracy\": 0.25, \"st");
  EXPECT_EQ(Read(), (Texts{"accuracy@1=0.25 TENSORBOARD"}));
  AppendText(Output(kEvents), event.substr(9));
  AppendText(Log(), "ch 3)\naccuracy: 0.2 epoch=4");
  AppendText(Lines(), "ep\": 5}\n{\"accuracy\": 0.5, \"step\": 6}");
  EXPECT_EQ(Read(),
            (Texts{"accuracy@5=0.25 METRIC_FILE", "accuracy@2=0.5 TENSORBOARD",
                   "accuracy@3=0.1 STDOUT"}));
  // What is left when nobody writes any more is whole.
  EXPECT_EQ(Read(true),
            (Texts{"accuracy@6=0.5 METRIC_FILE", "accuracy@4=0.2 STDOUT"}));
}

TEST_F(TrialMetricSourceTest, FindsEventFilesInFoldersThatCome) {
  EXPECT_EQ(Read(), Texts{});
  WriteText(Output(absl::StrCat("logs/train/", kEvents)),
            Event(1, "accuracy", 0.5F));
  EXPECT_EQ(Read(), (Texts{"accuracy@1=0.5 TENSORBOARD (training)"}));
  WriteText(Output(absl::StrCat("logs/validation/", kEvents)),
            Event(1, "accuracy", 0.25F) + Event(1, "loss", 4));
  WriteText(Output(absl::StrCat("logs/train/", kEvents, ".v2")),
            Event(2, "accuracy", 0.75F));
  Texts texts = Read();
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (Texts{"accuracy@1=0.25 TENSORBOARD (validation)",
                          "accuracy@2=0.75 TENSORBOARD (training)",
                          "validation/loss@1=4. TENSORBOARD (validation)"}));
}

// As SummaryWriter(purge_step=...) begins a file; `at` is a number of seconds.
std::string Begin(double at, std::int64_t from_step) {
  const auto step = static_cast<std::uint64_t>(from_step);
  return Framed(DoubleField(1, at) + VarintField(2, step) +
                BytesField(3, "brain.Event:2")) +
         Framed(DoubleField(1, at) + VarintField(2, step) +
                BytesField(7, VarintField(1, 1)));
}

TEST_F(TrialMetricSourceTest, APurgeStepEndsTheCurvesOfItsFolder) {
  // Whatever the order in which the kernel lists them.
  WriteText(Output("a/events.out.tfevents.20.host"),
            Begin(20, 5) + Point("accuracy", 0.5F, 5, 21));
  WriteText(Output("a/events.out.tfevents.10.host"),
            Begin(10, 0) + Point("accuracy", 0.25F, 4, 11) +
                Point("accuracy", 0.25F, 5, 12) + Point("loss", 1, 9, 12));
  WriteText(Output("b/events.out.tfevents.10.host"),
            Begin(10, 0) + Point("other", 1, 9, 12));
  EXPECT_EQ(Read(),
            (Texts{"accuracy@4=0.25 TENSORBOARD", "accuracy@5=0.25 TENSORBOARD",
                   "loss@9=1. TENSORBOARD", "accuracy@5=0.5 TENSORBOARD",
                   "other@9=1. TENSORBOARD"}));
  EXPECT_EQ(Restarts(), (Texts{"accuracy>=0 before 10 TENSORBOARD",
                               "loss>=0 before 10 TENSORBOARD",
                               "accuracy>=5 before 20 TENSORBOARD",
                               "loss>=5 before 20 TENSORBOARD",
                               "other>=0 before 10 TENSORBOARD"}));
  EXPECT_EQ(Read(true), Texts{});
  EXPECT_EQ(Restarts(), Texts{});
}

TEST_F(TrialMetricSourceTest, CurvesOfOneNameInSeveralFoldersAreLeftAlone) {
  for (const char* fold : {"fold0", "fold1"}) {
    WriteText(Output(absl::StrCat(fold, "/", kEvents)),
              Framed(BytesField(3, "brain.Event:2")) +
                  Point("accuracy", 0.5F, 5, 21));
  }
  EXPECT_EQ(Read().size(), 2u);
  AppendText(Output("fold0/" + std::string(kEvents)), Begin(30, 1));
  Read();
  EXPECT_EQ(Restarts(), Texts{});
}

// Without "brain.Event:2" no file says where its program began again.
TEST_F(TrialMetricSourceTest, InOldFilesASmallerStepIsARestart) {
  const std::string points = Point("accuracy", 0.25F, 4, 11) +
                             Point("loss", 0.25F, 9, 12) +
                             Point("accuracy", 0.5F, 3, 21);
  WriteText(Output(kEvents), points);
  EXPECT_EQ(Read().size(), 3u);
  EXPECT_EQ(Restarts(), (Texts{"accuracy>=3 before 21 TENSORBOARD"}));
  WriteText(Output("train/" + std::string(kEvents)),
            Framed(BytesField(3, "brain.Event:2")) + points);
  EXPECT_EQ(Read().size(), 3u);
  EXPECT_EQ(Restarts(), Texts{});
}

// Lightning counts the folders of its runs.
TEST_F(TrialMetricSourceTest, ANewerVersionGoesOnWithTheCurve) {
  const std::string head = Framed(BytesField(3, "brain.Event:2"));
  const auto version = [&](int n) {
    return Output(absl::StrCat("lightning_logs/version_", n, "/", kEvents));
  };
  WriteText(version(9), head + Point("accuracy", 0.25F, 4, 11) +
                            Point("accuracy", 0.5F, 5, 12));
  EXPECT_EQ(Read().size(), 2u);
  EXPECT_EQ(Restarts(), (Texts{"accuracy>=4 before 11 TENSORBOARD"}));
  WriteText(version(10), head + Point("accuracy", 0.75F, 5, 22));
  EXPECT_EQ(Read(), (Texts{"accuracy@5=0.75 TENSORBOARD"}));
  EXPECT_EQ(Restarts(), (Texts{"accuracy>=5 before 22 TENSORBOARD"}));
  // A source that begins anew meets version 10 first, and leaves out what that
  // ended.
  source_.Forget(Attempt().attempt);
  EXPECT_EQ(Read(true), (Texts{"accuracy@5=0.75 TENSORBOARD",
                               "accuracy@4=0.25 TENSORBOARD"}));
  EXPECT_EQ(Restarts(), (Texts{"accuracy>=5 before 22 TENSORBOARD"}));
}

TEST_F(TrialMetricSourceTest, TellsOnlySoManyRestarts) {
  std::string events = Point("accuracy", 0.5F, 5, 21);
  for (std::size_t i = 0; i <= kMaxCurveRestarts; ++i) events += Begin(30, 1);
  WriteText(Output(kEvents), events);
  Read();
  EXPECT_EQ(Restarts().size(), kMaxCurveRestarts);
  EXPECT_EQ(reading_.problems,
            (Texts{"the event files begin again more than 1000 times; later "
                   "restarts are overlooked"}));
}

TEST_F(TrialMetricSourceTest, ATagCountsUnderTheNameThatIsAskedFor) {
  spec_.training_input.hyperparameters->metric_tag = "validation/accuracy";
  WriteText(Output(absl::StrCat("logs/validation/", kEvents)),
            Event(1, "accuracy", 0.5F));
  EXPECT_EQ(Read(),
            (Texts{"validation/accuracy@1=0.5 TENSORBOARD (validation)"}));
}

TEST_F(TrialMetricSourceTest, HearsSummariesInTheWorkingDirectory) {
  spec_.training_input.job_dir.clear();
  WriteText(run_ / ("work/runs/Nov22_machine/" + std::string(kEvents)),
            Event(1, "accuracy", 0.5F));
  // The code that is linked there is every attempt's.
  const ScratchFolder code;
  WriteText(code / kEvents, Event(2, "accuracy", 0.25F));
  fs::create_directory_symlink(code.path(), run_ / "work/trainer");
  EXPECT_EQ(Read(true), (Texts{"accuracy@1=0.5 TENSORBOARD"}));
}

TEST_F(TrialMetricSourceTest, AFolderThatBecameALinkLeadsNowhere) {
  WriteText(run_ / ("work/a/" + std::string(kEvents)),
            Event(1, "accuracy", 0.5F));
  EXPECT_EQ(Read(), (Texts{"accuracy@1=0.5 TENSORBOARD"}));
  const ScratchFolder another;
  WriteText(another / kEvents, Event(2, "accuracy", 0.25F));
  fs::remove_all(run_ / "work/a");
  fs::create_directory_symlink(another.path(), run_ / "work/a");
  EXPECT_EQ(Read(), Texts{});
  EXPECT_EQ(Read(true), Texts{});
}

TEST_F(TrialMetricSourceTest, ValuesOfOneStepAndTimeStayApart) {
  WriteText(Output("train/" + std::string(kEvents)),
            Event(1, "accuracy", 0.25F));
  WriteText(Output("validation/" + std::string(kEvents)),
            Event(1, "accuracy", 0.5F));
  EXPECT_EQ(Read(true).size(), 2u);
  EXPECT_NE(reading_.measurements[0].reported_at,
            reading_.measurements[1].reported_at);
}

TEST_F(TrialMetricSourceTest, HearsNoSummariesInCodeThatAttemptsShare) {
  const ScratchFolder code;
  WriteText(code / kEvents, Event(1, "accuracy", 0.5F));
  fs::create_directory_symlink(code.path(), run_ / "work");
  EXPECT_EQ(Read(true), Texts{});
}

TEST_F(TrialMetricSourceTest, HearsSummariesWhereTheCodeIsIfTrialsRunThere) {
  const ScratchFolder code;
  spec_.training_input.job_dir.clear();
  spec_.vernier.command = CommandInFolder(code.path(), {"python3", "train.py"});
  WriteText(code / ("old/" + std::string(kEvents)), Event(1, "accuracy", 0.1F));
  fs::last_write_time(code / ("old/" + std::string(kEvents)),
                      fs::file_time_type::clock::now() - seconds(120));
  WriteText(code / ("runs/" + std::string(kEvents)),
            Event(1, "accuracy", 0.5F));
  EXPECT_EQ(Read(true), (Texts{"accuracy@1=0.5 TENSORBOARD"}));
  EXPECT_THAT(reading_.problems, testing::IsEmpty());
}

TEST_F(TrialMetricSourceTest, SaysWhichSummariesOfParallelTrialsItDoesNotRead) {
  const ScratchFolder code;
  spec_.training_input.job_dir.clear();
  spec_.training_input.hyperparameters->max_parallel_trials = 2;
  spec_.vernier.command = CommandInFolder(code.path(), {"python3", "train.py"});
  WriteText(code / kEvents, Event(1, "accuracy", 0.5F));
  EXPECT_EQ(Read(), Texts{});
  EXPECT_EQ(Read(true), Texts{});
  EXPECT_THAT(reading_.problems,
              testing::ElementsAre(testing::HasSubstr("VERNIER_OUTPUT_DIR")));
}

TEST_F(TrialMetricSourceTest, WhatIsOlderThanTheAttemptIsAnothers) {
  WriteText(Output(kEvents), Event(1, "accuracy", 0.5F));
  fs::last_write_time(Output(kEvents),
                      fs::file_time_type::clock::now() - seconds(120));
  EXPECT_EQ(Read(), Texts{});
  AppendText(Output(kEvents), Event(2, "accuracy", 0.25F));
  EXPECT_EQ(Read(), (Texts{"accuracy@1=0.5 TENSORBOARD",
                           "accuracy@2=0.25 TENSORBOARD"}));
}

TEST_F(TrialMetricSourceTest, AFileThatWasReplacedIsReadFromItsBeginning) {
  WriteText(Output(kEvents),
            Event(1, "accuracy", 0.5F) + Event(2, "accuracy", 0.5F));
  WriteText(Lines(), "{\"accuracy\": 1, \"step\": 1}\n{\"accuracy\": 1}\n");
  EXPECT_EQ(Read().size(), 4u);
  fs::remove(Lines());
  fs::remove(Output(kEvents));
  EXPECT_EQ(Read(), Texts{});
  WriteText(Output(kEvents), Event(3, "accuracy", 0.5F));
  WriteText(Lines(), "{\"accuracy\": 2, \"step\": 3}\n");
  EXPECT_EQ(Read(),
            (Texts{"accuracy@3=2. METRIC_FILE", "accuracy@3=0.5 TENSORBOARD"}));
}

TEST_F(TrialMetricSourceTest, RefusesWhatIsNoPlainFile) {
  fs::create_directories(Output(""));
  ASSERT_EQ(::mkfifo(Output(kEvents).c_str(), 0600), 0);
  WriteText(run_ / "elsewhere", Event(1, "accuracy", 0.5F));
  fs::create_symlink(run_ / "elsewhere",
                     Output(absl::StrCat(kEvents, ".link")));
  WriteText(run_ / ("folder/" + std::string(kEvents)),
            Event(1, "accuracy", 0.5F));
  fs::create_directory_symlink(run_ / "folder", Output("linked"));
  fs::create_symlink(run_ / "elsewhere", Lines());
  EXPECT_EQ(Read(true), Texts{});  // And does not block.
  EXPECT_EQ(
      reading_.problems,
      (Texts{"the file of VERNIER_METRICS is a symbolic link, which is "
             "not followed",
             "the event file is no regular file",
             "the event file is a symbolic link, which is not followed"}));
  Read(true);
  EXPECT_EQ(reading_.problems, Texts{}) << "each is named once";
}

// An image may name a user of its own, whom a rootless engine makes another one
// of this machine.
TEST_F(TrialMetricSourceTest, WhereOnlyTheAttemptCanWriteEveryUserCounts) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const std::string events = "work/runs/" + std::string(kEvents);
  WriteText(run_ / events, Event(1, "accuracy", 0.5F));
  WriteText(Lines(), "{\"accuracy\": 0.25, \"step\": 2}\n");
  WriteText(run_ / "metrics/master-replica-0.metrics",
            "{\"accuracy\": \"0.125\", \"global_step\": \"3\"}\n");
  WriteText(Output(kEvents), Event(4, "accuracy", 0.75F));
  for (const std::string& path :
       {std::string(run_ / events), Lines(),
        std::string(run_ / "metrics/master-replica-0.metrics"),
        Output(kEvents)}) {
    ASSERT_EQ(::chown(path.c_str(), 4711, 4711), 0) << path;
  }
  EXPECT_EQ(Read(true).size(), 3u);
  EXPECT_EQ(reading_.problems,
            (Texts{"the event file belongs to another user, who is not "
                   "believed"}));
  source_.Forget(Attempt().attempt);
  spec_.training_input.master.config.image_uri = "trainer:7";
  EXPECT_EQ(Read(true).size(), 4u);
  EXPECT_EQ(reading_.problems, Texts{});
}

TEST_F(TrialMetricSourceTest, TheChiefCountsAndOthersAreKeptBeside) {
  spec_.training_input.worker.count = 1;
  spec_.training_input.evaluator.count = 1;
  WriteText(Lines("worker-replica-0"), "{\"accuracy\": 1, \"step\": 1}\n");
  WriteText(Lines("evaluator-replica-0"), "{\"accuracy\": 2, \"step\": 1}\n");
  WriteText(run_ / "logs/worker-replica-0.log", "accuracy=3\n");
  EXPECT_EQ(Read(true), (Texts{"worker-replica-0/accuracy@1=1. METRIC_FILE",
                               "accuracy@1=2. METRIC_FILE"}));
}

TEST_F(TrialMetricSourceTest, AJobsPatternsTakeThePlaceOfTheUsualForm) {
  spec_.vernier.metric_patterns = {
      {"acc (?P<value>\\S+) after (?P<step>\\d+)", "accuracy"}};
  WriteText(Log(), "accuracy=1\nacc 0.5 after 3\n");
  EXPECT_EQ(Read(true), (Texts{"accuracy@3=0.5 STDOUT"}));
}

TEST_F(TrialMetricSourceTest, KeepsFewPointsOfWhatNobodyAskedFor) {
  std::string events;
  for (int step = 0; step < 1500; ++step) {
    events += Event(step, "noise", 1) + Event(step, "accuracy", 0.5F);
  }
  WriteText(Output(kEvents), events);
  std::size_t noise = 0, asked = 0;
  do {
    for (const std::string& text : Read(true)) {
      ++(text.rfind("noise", 0) == 0 ? noise : asked);
    }
  } while (reading_.has_more);
  EXPECT_EQ(noise, kMaxOtherPoints);
  EXPECT_EQ(asked, 1500u);
}

TEST_F(TrialMetricSourceTest, ThinsWhatIsPrintedAllTheTime) {
  std::string log;
  for (int step = 0; step < 5000; ++step) {
    const double value = step == 777 ? 9 : step == 778 ? -9 : 0.5;
    log += absl::StrCat("step ", step, " accuracy=", value, "\n");
  }
  WriteText(Log(), log);
  const Texts texts = Read(true);
  EXPECT_FALSE(reading_.has_more);
  EXPECT_EQ(texts.size(), 1000u + 500u + 500u + 125u);
  EXPECT_EQ(texts.front(), "accuracy@0=0.5 STDOUT");
  EXPECT_EQ(texts.back(), "accuracy@4999=0.5 STDOUT");
  for (const char* extreme :
       {"accuracy@777=9. STDOUT", "accuracy@778=-9. STDOUT"}) {
    EXPECT_EQ(std::count(texts.begin(), texts.end(), extreme), 1) << extreme;
  }
  // Of what comes between two that are kept, the last comes at the end.
  source_.Forget(Attempt().attempt);
  Read();
  AppendText(Log(), "step 6000 accuracy=0.25\nstep 6001 accuracy=0.125\n");
  const Texts more = Read(true);
  ASSERT_FALSE(more.empty());
  EXPECT_EQ(more.back(), "accuracy@6001=0.125 STDOUT");
}

TEST_F(TrialMetricSourceTest, TellsWhatWasPrintedInsteadOfTheMetric) {
  WriteText(Log(), "acc=0.5 lr: 0.1\naccuracy improved\n");
  EXPECT_EQ(Read(), Texts{}) << "it may still come";
  EXPECT_EQ(Read(true), (Texts{"acc@0=0.5 STDOUT", "lr@0=0.1 STDOUT"}));
  EXPECT_EQ(
      reading_.problems,
      Texts{"line 2 of the output names \"accuracy\" without a value that "
            "can be read (no = or : stands behind the name): accuracy "
            "improved"});
}

TEST_F(TrialMetricSourceTest, TellsNothingInsteadWhereAFileHasTheMetric) {
  WriteText(Log(), "acc=0.5\naccuracy improved\n");
  WriteText(Lines(), "{\"accuracy\": 0.25, \"step\": 2}\n");
  EXPECT_EQ(Read(), (Texts{"accuracy@2=0.25 METRIC_FILE"}));
  EXPECT_EQ(Read(true), Texts{});
  EXPECT_EQ(reading_.problems, Texts{});
}

// Two runs of the same bytes, read at other times, give the same.
TEST_F(TrialMetricSourceTest, NothingDependsOnWhenAFileWasRead) {
  const std::string event =
      Event(1, "accuracy", 0.5F) + Event(1, "accuracy", 0.25F);
  const std::string lines =
      "{\"accuracy\": 1, \"step\": 1}\n{\"accuracy\": 2, \"step\": 1}\n";
  const std::string hypertune =
      "{\"accuracy\": 1}\n{\"accuracy\": 2}\n{\"accuracy\": 1}\n";
  const std::string log = "accuracy=1\naccuracy=2\naccuracy=1\n";
  std::set<std::pair<std::string, std::int64_t>> found[2];
  for (const int parts : {1, 2}) {
    source_.Forget(Attempt().attempt);
    for (int part = 1; part <= parts; ++part) {
      const auto begin = [&](const std::string& text) {
        return text.substr(0, text.size() * static_cast<unsigned>(part) /
                                  static_cast<unsigned>(parts));
      };
      WriteText(Output(kEvents), begin(event));
      WriteText(Lines(), begin(lines));
      WriteText(run_ / "metrics/master-replica-0.metrics", begin(hypertune));
      WriteText(Log(), begin(log));
      Read(part == parts);
      for (const Measurement& one : reading_.measurements) {
        found[parts - 1].emplace(absl::StrCat(std::string(ToString(one.road)),
                                              " ", one.step, " ", one.value),
                                 one.reported_at.time_since_epoch().count());
      }
    }
  }
  EXPECT_EQ(found[0].size(), 2u + 2u + 3u + 3u);
  EXPECT_EQ(found[0], found[1]);
}

TEST_F(TrialMetricSourceTest, ReadsALargeFileInParts) {
  // An image that nobody looks at, many times, and one number after them.
  const std::string image = Framed(BytesField(
      5, BytesField(1, BytesField(1, "image") +
                           BytesField(4, std::string(7 << 20, 'x')))));
  std::string events;
  for (int i = 0; i < 6; ++i) events += image;
  WriteText(Output(kEvents), events + Event(9, "accuracy", 0.5F));
  EXPECT_EQ(Read(true), Texts{});
  EXPECT_TRUE(reading_.has_more);
  EXPECT_EQ(Read(true), (Texts{"accuracy@9=0.5 TENSORBOARD"}));
  EXPECT_FALSE(reading_.has_more);
}

// Eight terabytes that take no room on the disk.
TEST_F(TrialMetricSourceTest, ReadsNoHoles) {
  constexpr std::uintmax_t kHole = std::uintmax_t{8} << 40;
  AppendText(Lines(), "{\"accuracy\": 0.5}\n");
  fs::resize_file(Lines(), kHole);
  AppendText(Lines(), "\n{\"accuracy\": 0.25}\n");
  fs::resize_file(Lines(), kHole + kHole / 2);
  Texts found;
  int reads = 0;
  do {
    ASSERT_LT(++reads, 10);
    for (std::string& one : Read(true)) found.push_back(std::move(one));
  } while (reading_.has_more);
  EXPECT_EQ(found, Texts({"accuracy@1=0.5 METRIC_FILE",
                          "accuracy@2=0.25 METRIC_FILE"}));
}

// A process that outlives the attempt's end writes on for ever.
TEST_F(TrialMetricSourceTest, WhatIsWrittenAfterTheEndIsNotAwaited) {
  const std::string image = Framed(BytesField(
      5, BytesField(1, BytesField(1, "image") +
                           BytesField(4, std::string(7 << 20, 'x')))));
  const auto write = [&](int step) {
    AppendText(Lines(),
               std::string(2 << 20, '\n') +
                   absl::StrCat("{\"accuracy\": 2, \"step\": ", step, "}\n"));
    AppendText(Log(), std::string(5 << 20, '\n') +
                          absl::StrCat("accuracy=3 step=", step, "\n"));
    for (int i = 0; i < 6; ++i) AppendText(Output(kEvents), image);
    AppendText(Output(kEvents), Event(step, "accuracy", 4));
  };
  write(1);
  Texts found;
  for (int reads = 0; reads < 10; ++reads) {
    for (std::string& one : Read(true)) found.push_back(std::move(one));
    if (reads < 2) write(2 + reads);
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, Texts({"accuracy@1=2. METRIC_FILE", "accuracy@1=3. STDOUT",
                          "accuracy@1=4. TENSORBOARD"}));
  EXPECT_FALSE(reading_.has_more);
}

TEST_F(TrialMetricSourceTest, OfALongBacklogTheBeginAndTheEndAreRead) {
  std::string lines;
  int count = 0;
  while (lines.size() < (8 << 20)) {
    absl::StrAppend(&lines, "{\"accuracy\": ", ++count, "}",
                    std::string(1000, ' '), "\n");
  }
  WriteText(run_ / "metrics/file", lines);
  MetricLinesFollower follower("file", "", {}, 2 << 20);
  const UniqueFd folder(::open((run_ / "metrics").c_str(), O_RDONLY));
  MetricReading all;
  int reads = 0;
  do {
    all.has_more = false;
    follower.Read(folder.get(), LastLine::kIsDone, false, all);
  } while (all.has_more && ++reads < 10);
  EXPECT_LT(reads, 8);
  ASSERT_GT(all.measurements.size(), 4000u);
  EXPECT_LT(all.measurements.size(), 4200u);
  EXPECT_EQ(all.measurements[2000].value, 2001);
  EXPECT_EQ(all.measurements.back().value, count);
  EXPECT_TRUE(std::is_sorted(all.measurements.begin(), all.measurements.end(),
                             [](const auto& a, const auto& b) {
                               return std::pair(a.step, a.reported_at) <
                                      std::pair(b.step, b.reported_at);
                             }));
  ASSERT_EQ(all.problems.size(), 1u);
  EXPECT_NE(all.problems[0].find("bytes were left out"), std::string::npos);
}

TEST_F(TrialMetricSourceTest, ALongBacklogOfEventFilesIsNamed) {
  const std::string image = Framed(BytesField(
      5, BytesField(1, BytesField(1, "image") +
                           BytesField(4, std::string(7 << 20, 'x')))));
  WriteText(Output(kEvents), Event(1, "accuracy", 0.5F) + image + image +
                                 image + Event(2, "accuracy", 0.25F));
  LoggedFilesFollower follower(output_.path(), {LoggedFileKind::kEvents},
                               {"accuracy"}, Timestamp{}, FileOwner::kService,
                               8 << 20);
  MetricReading all;
  follower.Read(true, clock_.Now(), all);
  EXPECT_FALSE(all.has_more);
  ASSERT_EQ(all.measurements.size(), 1u);
  ASSERT_EQ(all.problems.size(), 1u);
  EXPECT_NE(all.problems[0].find("were not read to their end"),
            std::string::npos);
}

// Some patterns take seconds for a line, which others do not wait for.
class PatternThreadsTest : public TrialMetricSourceTest {
 protected:
  PatternThreadsTest() {
    spec_.vernier.metric_patterns = {{"acc (?P<value>[0-9.]+)", "accuracy"}};
  }

  // What there is after the end; waits to be woken.
  Texts ReadToEnd(const LiveAttempt& attempt) {
    Texts texts;
    do {
      const MetricReading reading = source_.Read(attempt, spec_, true);
      for (const Measurement& one : reading.measurements) {
        texts.push_back(Show(one));
      }
      if (!reading.is_pending && !reading.has_more) return texts;
    } while (IsWoken());
    ADD_FAILURE() << "the source says that there is more, and wakes nobody";
    return texts;
  }
  // Waits for news; false if there are none within a minute.
  [[nodiscard]] bool IsWoken() {
    pollfd fd{source_.wake_fds()[1], POLLIN, 0};
    eventfd_t count = 0;
    return ::poll(&fd, 1, 60000) == 1 &&
           ::eventfd_read(source_.wake_fds()[1], &count) == 0;
  }

  TrialMetricSource source_{{milliseconds(0), false, /*pattern_threads=*/2, {}},
                            clock_};
};

TEST_F(PatternThreadsTest, WhatTheyFindComesLater) {
  AppendText(Log(), "acc 0.5\nacc 0.25\nacc 0.12");
  Texts found;
  while (found.empty()) {
    const MetricReading reading = source_.Read(Attempt(), spec_, false);
    for (const Measurement& one : reading.measurements) {
      found.push_back(Show(one));
    }
    if (found.empty()) {
      ASSERT_TRUE(IsWoken());
    }
  }
  EXPECT_EQ(found, Texts({"accuracy@1=0.5 STDOUT", "accuracy@2=0.25 STDOUT"}));
  EXPECT_EQ(ReadToEnd(Attempt()), Texts({"accuracy@3=0.12 STDOUT"}));
  EXPECT_EQ(ReadToEnd(Attempt()), Texts());
}

TEST_F(PatternThreadsTest, AProjectDoesNotWaitForTheSlowPatternsOfAnother) {
  const ScratchFolder slow_run;
  std::mt19937 rng(1);
  std::string line;
  while (line.size() < kMaxStdoutLine) line += "ab"[rng() % 2];
  AppendText(slow_run / "logs/master-replica-0.log", line + "\n");
  JobSpec slow = spec_;
  slow.vernier.metric_patterns = {
      {"(?:[ab]*a[ab]{300}c)|(?P<value>[ab])", "accuracy"}};
  LiveAttempt attempt = Attempt();
  attempt.project = "slow";
  attempt.run_dir = slow_run.path();
  // More than there are threads.
  for (int trial = 1; trial <= 4; ++trial) {
    attempt.attempt.trial = TrialId{trial};
    EXPECT_TRUE(source_.Read(attempt, slow, true).is_pending);
  }
  AppendText(Log(), "acc 0.5\n");
  EXPECT_EQ(ReadToEnd(Attempt()), Texts({"accuracy@1=0.5 STDOUT"}));
  EXPECT_TRUE(source_.Read(attempt, slow, true).is_pending);
  // The end of the source does not wait for the lines, either.
}

TEST_F(TrialMetricSourceTest, WalksOnlySoManyFolders) {
  for (std::size_t i = 0; i <= kMaxLoggedFolders; ++i) {
    fs::create_directories(Output(absl::StrCat("folder", i)));
  }
  EXPECT_EQ(Read(), Texts{});
  ASSERT_EQ(reading_.problems.size(), 1u);
  EXPECT_NE(reading_.problems[0].find("at most 1000 folders"),
            std::string::npos)
      << reading_.problems[0];
}

TEST_F(TrialMetricSourceTest, LooksAtIntervals) {
  ManualClock clock;
  clock.Advance(seconds(100));
  TrialMetricSource source({milliseconds(1000), false, 0, {}}, clock);
  const auto count = [&] {
    return source.Read(Attempt(), spec_, false).measurements.size();
  };
  EXPECT_EQ(count(), 0u);
  WriteText(Output(kEvents), Event(1, "accuracy", 0.5F));
  WriteText(Log(), "accuracy=1\n");
  EXPECT_EQ(count(), 0u);
  clock.Advance(milliseconds(1000));
  EXPECT_EQ(count(), 2u);
}

}  // namespace
}  // namespace vernier
