// Writes a study of many finished trials into a data directory, so that reading
// it can be measured.
//
//   large_study DATA_DIR NAME TRIALS POINTS [DISTINCT]
//
// The study has ten parameters of all types; each trial has a learning curve of
// POINTS values, and some trials fail. The same arguments give the same study.
// If there are very many trials, the store writes the first DISTINCT (100,000);
// the others are copies of their rows and events under other numbers, which is
// ten times as fast.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "daemon/data_dir.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/sqlite_store.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

constexpr int kBatch = 500;
constexpr int kDistinct = 100000;

void Must(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

template <typename Result>
Result Must(absl::StatusOr<Result> result) {
  Must(result.status());
  return *std::move(result);
}

ParsedJob MakeJob(const std::string& name, int trials) {
  return Must(ParseJob(
      absl::StrCat("jobId: ", name,
                   "\ntrainingInput:\n  region: local\n  hyperparameters:\n"
                   "    goal: MINIMIZE\n    hyperparameterMetricTag: loss\n"
                   "    algorithm: RANDOM_SEARCH\n    maxTrials: ",
                   trials, "\n    maxParallelTrials: ", kBatch,
                   R"(
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 1.0e-5, maxValue: 1, scaleType: UNIT_LOG_SCALE}
    - {parameterName: momentum, type: DOUBLE, minValue: 0, maxValue: 0.99, scaleType: UNIT_LINEAR_SCALE}
    - {parameterName: weight_decay, type: DOUBLE, minValue: 1.0e-7, maxValue: 0.1, scaleType: UNIT_LOG_SCALE}
    - {parameterName: dropout, type: DOUBLE, minValue: 0, maxValue: 0.7, scaleType: UNIT_LINEAR_SCALE}
    - {parameterName: layers, type: INTEGER, minValue: 1, maxValue: 8, scaleType: UNIT_LINEAR_SCALE}
    - {parameterName: width, type: INTEGER, minValue: 16, maxValue: 2048, scaleType: UNIT_LOG_SCALE}
    - {parameterName: batch, type: DISCRETE, discreteValues: [16, 32, 64, 128, 256]}
    - {parameterName: optimizer, type: CATEGORICAL, categoricalValues: [sgd, adam, adamw, lamb]}
    - {parameterName: activation, type: CATEGORICAL, categoricalValues: [relu, gelu]}
    - {parameterName: warmup, type: DOUBLE, minValue: 0, maxValue: 0.2, scaleType: UNIT_LINEAR_SCALE}
vernier: {command: ["true"], seed: 1}
)"),
      {}));
}

/// Draws trials and their outcomes.
class Source {
 public:
  Source(StudyId study, int points) : study_(study), points_(points) {}

  /// Draws a trial that runs from `start` on, and appends the changes of its
  /// whole life.
  void Append(std::int64_t trial, std::vector<Change>* created,
              std::vector<Change>* ended, Timestamp start) {
    const double lr = std::pow(10, -5 * Uniform());
    const double dropout = 0.7 * Uniform();
    const auto layers = static_cast<std::int64_t>(1 + 8 * Uniform());
    static const char* const kOptimizers[] = {"sgd", "adam", "adamw", "lamb"};
    const auto optimizer = static_cast<std::size_t>(4 * Uniform());
    static const double kBatches[] = {16, 32, 64, 128, 256};
    NewTrial point;
    point.parameters = {
        {"lr", lr},
        {"momentum", 0.99 * Uniform()},
        {"weight_decay", std::pow(10, -1 - 6 * Uniform())},
        {"dropout", dropout},
        {"layers", layers},
        {"width", static_cast<std::int64_t>(16 * std::pow(2, 7 * Uniform()))},
        {"batch", kBatches[static_cast<std::size_t>(5 * Uniform())]},
        {"optimizer", std::string(kOptimizers[optimizer])},
        {"activation", std::string(Uniform() < 0.5 ? "relu" : "gelu")},
        {"warmup", 0.2 * Uniform()}};
    point.origin.suggester = "RANDOM_SEARCH";
    const AttemptKey key{study_, TrialId(trial), 1};
    created->push_back(CreateTrials{study_, {std::move(point)}});
    created->push_back(IntendLaunch{
        key,
        absl::StrCat(absl::Hex(trial, absl::kZeroPad16), "0123456789abcdef"),
        {}});
    created->push_back(ObserveAttempt{key, AttemptEvent::kRun});
    const double floor = std::pow(std::log10(lr) + 2.5, 2) / 4 +
                         std::pow(dropout - 0.2, 2) +
                         0.02 * std::abs(static_cast<double>(layers) - 4) +
                         0.05 * static_cast<double>(optimizer == 0);
    End(key, floor, start, ended);
  }

 private:
  double Uniform() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }

  void End(const AttemptKey& key, double floor, Timestamp start,
           std::vector<Change>* ended) {
    AddMeasurements reports{key, {}};
    double value = 0;
    for (int step = 1; step <= points_; ++step) {
      Measurement measurement;
      measurement.metric = "loss";
      measurement.step = step;
      measurement.reported_at = start + std::chrono::seconds(step);
      value = floor + 2.0 / (1 + step) + 0.02 * Uniform();
      measurement.value = value;
      reports.measurements.push_back(std::move(measurement));
    }
    if (points_ > 0) ended->push_back(std::move(reports));
    const bool failed = Uniform() < 0.03;
    ended->push_back(
        EndAttempt{key, AttemptEvent::kExit,
                   failed ? TrialEndCause::kUserError : TrialEndCause::kSuccess,
                   failed ? 1 : 0, std::nullopt, failed ? "exit code 1" : "",
                   std::chrono::seconds(30)});
    MoveTrial move{key.study,
                   key.trial,
                   failed ? TrialEvent::kGiveUp : TrialEvent::kReportFinal,
                   failed ? TrialEndCause::kUserError : TrialEndCause::kSuccess,
                   failed ? "exit code 1" : "",
                   std::nullopt};
    if (!failed) move.final_measurement = FinalMeasurement{points_, value};
    ended->push_back(std::move(move));
  }

  const StudyId study_;
  const int points_;
  std::mt19937_64 random_{1};
};

Timestamp WriteTrials(SqliteStore& store, StudyId study, int trials, int points,
                      Timestamp now) {
  Source source(study, points);
  for (int done = 0; done < trials; done += kBatch) {
    std::vector<Change> created;
    std::vector<Change> ended;
    for (int i = done; i < std::min(done + kBatch, trials); ++i) {
      source.Append(i + 1, &created, &ended, now);
    }
    Must(store.Commit(created, now));
    now += std::chrono::seconds(40);
    Must(store.Commit(ended, now));
  }
  return now;
}

/// Copies rows in SQL. The schema's triggers are dropped meanwhile, because
/// they check each row on its way through its states.
class Copier {
 public:
  explicit Copier(const std::string& path)
      : database_(Must(SqliteDatabase::Open(path, Marked()))) {
    Must(ConfigureConnection(*database_));
    Must(database_->Execute("PRAGMA foreign_keys = OFF"));
    Must(database_->Execute("PRAGMA synchronous = OFF"));
    std::vector<std::string> names;
    {
      SqliteStatement rows = Must(database_->Prepare(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"));
      while (Must(rows.Step())) {
        names.push_back(rows.Text(0));
        triggers_.push_back(rows.Text(1));
      }
    }
    for (const std::string& name : names) {
      Must(database_->Execute(absl::StrCat("DROP TRIGGER ", name).c_str()));
    }
    events_ = Must(database_->QueryInt(
        "SELECT count(*) FROM event WHERE trial IS NOT NULL"));
  }

  /// Copies trials 1 to `trials` to those from `shift` + 1 on, with their
  /// events at the end; `copy` counts the copies from 1 on.
  void Copy(int trials, int shift, int copy) {
    const std::string where = absl::StrCat(" WHERE trial <= ", trials);
    Must(database_->Execute("BEGIN"));
    CopyRows("trial", {{"number", shift}},
             absl::StrCat(" WHERE number <= ", trials));
    CopyRows("attempt", {{"trial", shift}}, where);
    CopyRows("measurement", {{"trial", shift}}, where);
    CopyRows("event", {{"trial", shift}, {"seq", copy * events_}}, where);
    Must(database_->Execute("COMMIT"));
    Must(database_->Checkpoint());
  }

  void Finish() {
    for (const std::string& sql : triggers_) {
      Must(database_->Execute(sql.c_str()));
    }
    Must(database_->Checkpoint());
  }

 private:
  static SqliteDatabase::Options Marked() {
    SqliteDatabase::Options options;
    options.marks_log = true;
    return options;
  }

  // Copies the rows of a table, with the numbers in `added` added to their
  // columns.
  void CopyRows(const std::string& table,
                const std::map<std::string, std::int64_t>& added,
                const std::string& where) {
    std::string columns;
    std::string values;
    SqliteStatement rows = Must(database_->Prepare(
        absl::StrCat("PRAGMA table_info(", table, ")").c_str()));
    while (Must(rows.Step())) {
      const std::string name = rows.Text(1);
      const char* const comma = columns.empty() ? "" : ", ";
      absl::StrAppend(&columns, comma, name);
      const auto more = added.find(name);
      absl::StrAppend(&values, comma, name);
      if (more != added.end()) absl::StrAppend(&values, " + ", more->second);
    }
    Must(database_->Execute(absl::StrCat("INSERT INTO ", table, " (", columns,
                                         ") SELECT ", values, " FROM ", table,
                                         where)
                                .c_str()));
  }

  const std::unique_ptr<SqliteDatabase> database_;
  std::vector<std::string> triggers_;
  std::int64_t events_ = 0;  // Events of the trials that are copied.
};

void CopyTrials(const std::string& path, int from, int trials) {
  Copier copier(path);
  int copy = 0;
  for (int done = from; done < trials; done += from) {
    copier.Copy(std::min(from, trials - done), done, ++copy);
  }
  copier.Finish();
}

void Write(const std::string& folder, const std::string& name, int trials,
           int points, int distinct) {
  const DataDir data_dir = DataDirAt(folder);
  Must(PrepareDataDir(data_dir));
  auto store = Must(SqliteStore::Open(data_dir.DatabasePath()));
  ParsedJob parsed = MakeJob(name, trials);
  NewJob job;
  job.spec = std::make_shared<const JobSpec>(std::move(parsed.spec));
  job.spec_json = std::move(parsed.json);
  job.run_root = data_dir.RunRoot();
  job.seed = 1;
  Timestamp now = Timestamp(std::chrono::hours(24 * 365 * 50));
  const StudyId study = Must(store->CreateJob(job, now));
  Must(store->Commit({MoveJob{study, JobEvent::kPrepare, ""},
                      MoveJob{study, JobEvent::kRun, ""}},
                     now));
  const int written = std::min(trials, distinct);
  now = WriteTrials(*store, study, written, points, now);
  if (written < trials) {
    store.reset();
    CopyTrials(data_dir.DatabasePath(), written, trials);
    store = Must(SqliteStore::Open(data_dir.DatabasePath()));
  }
  Must(store->Commit({MoveJob{study, JobEvent::kSucceed, ""}}, now));
}

}  // namespace
}  // namespace vernier

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr,
                 "usage: large_study DATA_DIR NAME TRIALS POINTS [DISTINCT]\n");
    return 2;
  }
  vernier::Write(argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]),
                 argc == 6 ? std::atoi(argv[5]) : vernier::kDistinct);
  return 0;
}
