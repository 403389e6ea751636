#include "cli/live/top_frame.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/timestamp_text.h"
#include "cli/live/keyboard.h"

namespace vernier {
namespace {

using Lines = std::vector<std::string>;

constexpr char kService[] = R"({"version":"1.2.3","openJobs":2,
  "httpUrl":"http://127.0.0.1:8080","devices":[
  {"id":"GPU-1","model":"NVIDIA H100","memoryBytes":"85899345920",
   "leasedBy":"job digits trial 3"},
  {"id":"GPU-2","model":"NVIDIA H100","memoryBytes":"85899345920"},
  {"id":"GPU-3","model":"NVIDIA H100","memoryBytes":"85899345920",
   "unusableBecause":"has an uncorrectable memory error","sick":true}]})";

constexpr char kJobs[] = R"({"jobs":[
  {"jobId":"digits","state":"RUNNING","startTime":"2026-02-03T04:00:00Z",
   "trainingInput":{"hyperparameters":{"goal":"MINIMIZE",
                                       "maxParallelTrials":2}},
   "vernier":{"maxTrials":8,"runningTrials":2,"timeLeft":"105s",
              "trialCounts":{"completed":3,"failed":1,"active":2}}},
  {"jobId":"a_job_with_a_rather_long_name","state":"QUEUED",
   "vernier":{"wanted":"PAUSE","maxTrials":4,"trialCounts":{},
              "waitingFor":"a resume: paused by the user\nmore"}},
  {"jobId":"old","state":"FAILED","startTime":"2026-02-03T03:00:00Z",
   "endTime":"2026-02-03T03:01:00Z","errorMessage":"every trial failed",
   "vernier":{"maxTrials":2,"trialCounts":{"failed":2}}}]})";

constexpr char kEnded[] = R"({"trials":[
  {"trialId":"4","state":"COMPLETED","endCause":"success",
   "startTime":"2026-02-03T04:02:00Z","endTime":"2026-02-03T04:03:00Z",
   "finalMeasurement":{"step":"3","value":0.25}},
  {"trialId":"3","state":"FAILED","endCause":"user_error",
   "message":"exit 1\nmore"},
  {"trialId":"2","state":"COMPLETED","endCause":"success",
   "startTime":"2026-02-03T04:01:00Z","endTime":"2026-02-03T04:02:00Z",
   "finalMeasurement":{"step":"3","value":0.5}},
  {"trialId":"1","state":"COMPLETED","endCause":"success",
   "startTime":"2026-02-03T04:00:00Z","endTime":"2026-02-03T04:01:00Z",
   "finalMeasurement":{"step":"3","value":0.75}}]})";

constexpr char kBest[] = R"({"trials":[{"trialId":"4","state":"COMPLETED",
   "endCause":"success","finalMeasurement":{"step":"3","value":0.25}}]})";

constexpr char kOpen[] = R"({"trials":[
  {"trialId":"5","state":"ACTIVE","startTime":"2026-02-03T04:04:30Z",
   "parameters":[{"name":"lr","value":"0.2"}],
   "lastMeasurement":{"step":"1","value":0.75}},
  {"trialId":"6","state":"ACTIVE","startTime":"2026-02-03T04:05:00Z",
   "parameters":[{"name":"lr","value":"0.123456789012"}],
   "waitingFor":"a GPU"}]})";

Timestamp Now() { return *ParseTimestamp("2026-02-03T04:05:00Z"); }

TopData Data() {
  TopData data = *ReadTopService(kService);
  data.jobs = *ReadTopJobs(kJobs);
  data.jobs[0].results = *ReadTopResults(data.jobs[0], kEnded, kBest);
  data.jobs[0].trials = *ReadLiveTrials(kOpen);
  return data;
}

Lines DrawTop(const TopData& data, std::size_t columns, std::size_t rows = 100,
              std::optional<std::size_t> chosen = std::nullopt,
              Palette palette = Palette::kPlain,
              Glyphs glyphs = Glyphs::kAscii) {
  return TopFrame(data, chosen, Now(), {columns, rows, palette, glyphs});
}

/// The same as one text, with a line break before each line.
std::string Screen(const TopData& data, std::size_t columns,
                   std::size_t rows = 100,
                   std::optional<std::size_t> chosen = std::nullopt) {
  std::string text = "\n";
  for (const std::string& line : DrawTop(data, columns, rows, chosen)) {
    text += line + "\n";
  }
  return text;
}

TEST(TopFrameTest, ShowsAllOfItOnAWideScreen) {
  EXPECT_EQ(Screen(Data(), 200), R"(
2 open jobs  2 trials run  1 of 3 GPUs held  http://127.0.0.1:8080  vernier 1.2.3

JOB                            STATE    PROGRESS      TRIALS  RUN  FAIL  BEST  BEST_SO_FAR    LEFT   TIME  NOTE
digits                         RUNNING  [#####.....]     4/8    2     1  0.25  #=_          ~1m45s  5m00s
a_job_with_a_rather_long_name  PAUSED   [..........]     0/4    0                                          a resume: paused by the user
old                            FAILED   [##########]     2/2    0     2                             1m00s  every trial failed

Trials of digits; best: 0.25 of trial 4
  last failure  trial 3  user error: exit 1
  trial 5  active  0.75 at step 1  lr=0.2
  trial 6  active  lr=0.123456789012  a GPU

GPU  MODEL         MEMORY  HELD_BY             CONDITION
  0  NVIDIA H100  80.0 GB  job digits trial 3  OK
  1  NVIDIA H100  80.0 GB  free                OK
  2  NVIDIA H100  80.0 GB  free                SICK: it has an uncorrectable memory error
)");
}

TEST(TopFrameTest, LeavesOutColumnsOnAUsualScreen) {
  EXPECT_EQ(Screen(Data(), 79), R"(
2 open jobs  2 trials run  1 of 3 GPUs held  vernier 1.2.3

JOB                  STATE    TRIALS  RUN  FAIL  BEST  BEST_SO_FAR    LEFT
digits               RUNNING     4/8    2     1  0.25  #=_          ~1m45s
a_job_with~ong_name  PAUSED      0/4    0
old                  FAILED      2/2    0     2

Trials of digits; best: 0.25 of trial 4
  last failure  trial 3  user error: exit 1
  trial 5  active  0.75 at step 1  lr=0.2
  trial 6  active  lr=0.123456789012  a GPU

GPU  MODEL         MEMORY  HELD_BY             CONDITION
  0  NVIDIA H100  80.0 GB  job digits trial 3  OK
  1  NVIDIA H100  80.0 GB  free                OK
  2  NVIDIA H100  80.0 GB  free                SICK: it has an uncorrectable me
)");
}

TEST(TopFrameTest, KeepsWhatMattersMostOnANarrowScreen) {
  EXPECT_EQ(Screen(Data(), 39), R"(
2 open jobs  2 trials run

JOB           STATE    TRIALS  BEST
digits        RUNNING     4/8  0.25
a_j~ong_name  PAUSED      0/4
old           FAILED      2/2

Trials of digits; best: 0.25 of trial 4
  last failure  trial 3  user error: ex
  trial 5  active  0.75 at step 1  lr=0
  trial 6  active  lr=0.123456789012  a

GPU  HELD_BY             CONDITION
  0  job digits trial 3  OK
  1  free                OK
  2  free                SICK: it has a
)");
}

TEST(TopFrameTest, ShowsTheTrialsOfTheChosenJob) {
  EXPECT_EQ(Screen(Data(), 79, 24, 1), R"(
2 open jobs  2 trials run  1 of 3 GPUs held  vernier 1.2.3

  JOB                  STATE    TRIALS  RUN  FAIL  BEST  BEST_SO_FAR    LEFT
  digits               RUNNING     4/8    2     1  0.25  #=_          ~1m45s
> a_job_with~ong_name  PAUSED      0/4    0
  old                  FAILED      2/2    0     2

Trials of a_job_with_a_rather_long_name
  a resume: paused by the user

GPU  MODEL         MEMORY  HELD_BY             CONDITION
  0  NVIDIA H100  80.0 GB  job digits trial 3  OK
  1  NVIDIA H100  80.0 GB  free                OK
  2  NVIDIA H100  80.0 GB  free                SICK: it has an uncorrectable me

q: quit  up, down: another job's trials
)");
}

TEST(TopFrameTest, IsPaintedWhereThereAreColours) {
  const Lines lines =
      DrawTop(Data(), 79, 24, 0, Palette::kColours, Glyphs::kBlocks);
  EXPECT_EQ(lines[3],
            "\033[1m> digits\033[0m               \033[36mRUNNING\033[0m     "
            "4/8    2     \033[31m1\033[0m  \033[1m0.25\033[0m  "
            "\033[36m\u2588\u2585\u2581\033[0m          ~1m45s");
}

TEST(TopFrameTest, FitsEveryScreen) {
  const TopData data = Data();
  for (std::size_t columns = 1; columns < 220; columns += 3) {
    for (std::size_t rows = 1; rows < 30; ++rows) {
      for (const std::size_t chosen : {0U, 1U, 2U}) {
        const Lines lines = DrawTop(data, columns, rows, chosen);
        EXPECT_LE(lines.size(), rows);
        for (const std::string& line : lines) {
          EXPECT_LE(DisplayWidth(line), columns) << line;
        }
      }
    }
  }
}

TEST(TopFrameTest, OfManyJobsTheChosenOneIsInSight) {
  TopData data = Data();
  data.devices.clear();
  data.jobs.assign(50, data.jobs[2]);
  for (std::size_t i = 0; i < data.jobs.size(); ++i) {
    data.jobs[i].id = "job" + std::to_string(i);
  }
  for (std::size_t chosen = 0; chosen < data.jobs.size(); ++chosen) {
    const Lines lines = DrawTop(data, 79, 12, chosen);
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    EXPECT_NE(all.find("> job" + std::to_string(chosen) + " "),
              std::string::npos)
        << all;
    EXPECT_NE(all.find("more"), std::string::npos);
    EXPECT_NE(all.find("q: quit"), std::string::npos);
  }
}

TEST(TopFrameTest, SaysWhatTheServiceWaitsForAndThatThereAreNoJobs) {
  const TopData data =
      *ReadTopService(R"({"version":"1","waitingFor":"room on the disk\nx"})");
  EXPECT_EQ(DrawTop(data, 79), Lines({"0 open jobs  0 trials run  vernier 1",
                                      "The service waits for room on the disk",
                                      "", "There are no jobs."}));
}

TEST(TopFrameTest, NothingOfAUsersTextMovesTheCursor) {
  TopData data = Data();
  data.jobs[1].note = "\033[2J\r\nx";
  data.devices[0].holder = "a\033[2Jb";
  for (const std::string& line : DrawTop(data, 200)) {
    EXPECT_EQ(line.find_first_of("\033\r\n"), std::string::npos) << line;
  }
}

TEST(TopFrameTest, AnswersThatAreNoneAreErrors) {
  EXPECT_FALSE(ReadTopService("[").ok());
  EXPECT_FALSE(ReadTopService("[]").ok());
  EXPECT_FALSE(ReadTopJobs("7").ok());
  EXPECT_FALSE(ReadTopResults({}, "7", "{}").ok());
}

TEST(TopFrameTest, SharesRowsEqually) {
  using Rows = std::vector<std::size_t>;
  EXPECT_EQ(ShareRows({3, 2}, 10), Rows({3, 2}));
  EXPECT_EQ(ShareRows({9, 2, 9}, 10), Rows({4, 2, 4}));
  EXPECT_EQ(ShareRows({9, 9}, 5), Rows({3, 2}));
  EXPECT_EQ(ShareRows({9, 9}, 0), Rows({0, 0}));
  EXPECT_EQ(ShareRows({}, 5), Rows());
}

TEST(KeyboardTest, KnowsItsKeysAndSkipsOtherSequences) {
  using Keys = std::vector<Key>;
  EXPECT_EQ(KeysOf("q"), Keys({Key::kQuit}));
  EXPECT_EQ(KeysOf("\033[A\033[B"), Keys({Key::kUp, Key::kDown}));
  EXPECT_EQ(KeysOf("\033OA\033OB"), Keys({Key::kUp, Key::kDown}));
  EXPECT_EQ(KeysOf("kj"), Keys({Key::kUp, Key::kDown}));
  EXPECT_EQ(KeysOf("\033[1;5A"), Keys({Key::kUp}));
  EXPECT_EQ(KeysOf("x\033[3~\033[H\033"), Keys());
  EXPECT_EQ(KeysOf("\033["), Keys());
}

}  // namespace
}  // namespace vernier
