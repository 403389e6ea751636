#include "faces/logging/logging_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cluster/log_times.h"
#include "cluster/replica_log.h"
#include "faces/logging/log_page.h"
#include "tests/faces/rest_bed.h"
#include "trials/jobs/orchestrator.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A replica that prints when the test says so.
class Printer {
 public:
  Printer(const std::string& attempt_dir, const std::string& replica)
      : log_(Make(attempt_dir, replica)),
        times_(*LogTimesWriter::Create(LogDirectory(attempt_dir), replica)) {}

  void Print(const std::string& text, Timestamp at) {
    times_.Note(log_.end(), at);
    log_.Append(text.data(), text.size());
  }

 private:
  static ReplicaLogWriter Make(const std::string& dir,
                               const std::string& replica) {
    std::filesystem::create_directories(LogDirectory(dir));
    return *ReplicaLogWriter::Create(LogDirectory(dir), replica, 1 << 20);
  }
  ReplicaLogWriter log_;
  LogTimesWriter times_;
};

class LoggingApiTest : public RestBed {
 protected:
  LoggingApiTest() { logging_.AddRoutes(&front_.router()); }

  void SetUp() override {
    RestBed::SetUp();
    study_ = Create("j1");
    first_ = Launch(study_, 1, 0.5);
    second_ = Launch(study_, 2, 0.7);
    start_ = clock_.Now();
  }
  std::string Dir(const AttemptKey& key) {
    return AttemptDir(JobOf(*store_.Snapshot()->at(key.study)), key);
  }
  Json List(const std::string& filter, int page_size = 1000,
            const std::string& more = "") {
    Json body = {{"filter", filter},
                 {"orderBy", "timestamp asc"},
                 {"pageSize", page_size},
                 {"resourceNames", {"projects/p1"}}};
    if (!more.empty()) body["pageToken"] = more;
    const HttpResponse response =
        Call("POST", "/v2/entries:list", DumpJson(body));
    EXPECT_EQ(response.status, 200) << response.text();
    return Parse(response);
  }
  /// "trial task severity message" of each entry, without the service's.
  static std::vector<std::string> Lines(const Json& answer) {
    std::vector<std::string> lines;
    for (const Json& entry : answer.value("entries", Json::array())) {
      const std::string task = entry["resource"]["labels"]["task_name"];
      if (task == "service") continue;
      lines.push_back(entry["labels"].value("ml.googleapis.com/trial_id", "-") +
                      " " + task + " " + entry.value("severity", "") + " " +
                      entry["jsonPayload"].value("message", ""));
    }
    return lines;
  }
  static std::string Job(const std::string& job) {
    return R"((resource.type="ml_job" OR resource.type="cloudml_job") AND )"
           R"(resource.labels.job_id=")" +
           job + "\"";
  }

  LoggingApi logging_{store_, clock_};
  StudyId study_{};
  AttemptKey first_, second_;
  Timestamp start_{};
};

TEST_F(LoggingApiTest, LinesOfAllReplicasComeByTime) {
  Printer one(Dir(first_), "master-replica-0");
  Printer two(Dir(second_), "master-replica-0");
  Printer worker(Dir(second_), "worker-replica-0");
  one.Print("a\nWARNING: b\n", start_ + seconds(1));
  two.Print("c\n", start_ + seconds(2));
  worker.Print("{\"message\":\"d\",\"severity\":\"ERROR\"}\n",
               start_ + seconds(3));
  one.Print("e\nnot yet whole", start_ + seconds(4));
  EXPECT_THAT(
      Lines(List(Job("j1"))),
      ElementsAre("1 master-replica-0 INFO a",
                  "1 master-replica-0 WARNING WARNING: b",
                  "2 master-replica-0 INFO c", "2 worker-replica-0 ERROR d",
                  "1 master-replica-0 INFO e"));
  EXPECT_TRUE(Lines(List(Job("j2"))).empty());
}

TEST_F(LoggingApiTest, ALineHasTheTimeOfItsEnd) {
  Printer one(Dir(first_), "master-replica-0");
  one.Print("begun", start_ + seconds(1));
  one.Print(" and ended\n", start_ + seconds(9));
  const std::string since =
      " AND timestamp>=\"" + FormatTimestamp(start_ + seconds(5)) + "\"";
  EXPECT_THAT(Lines(List(Job("j1") + since)),
              ElementsAre("1 master-replica-0 INFO begun and ended"));
}

TEST_F(LoggingApiTest, ALastLineWithoutAnEndComesWhenItsAttemptEnds) {
  Printer one(Dir(first_), "master-replica-0");
  one.Print("whole\nno newline", start_);
  EXPECT_EQ(Lines(List(Job("j1"))).size(), 1u);
  Complete(first_, 0.5);
  EXPECT_THAT(Lines(List(Job("j1"))),
              ElementsAre("1 master-replica-0 INFO whole",
                          "1 master-replica-0 INFO no newline"));
}

TEST_F(LoggingApiTest, TheServiceSaysWhatItDid) {
  const Json answer =
      List(Job("j1") + " AND resource.labels.task_name=service");
  ASSERT_EQ(answer["entries"].size(), 1u);
  EXPECT_EQ(answer["entries"][0]["jsonPayload"]["message"], "Job is queued.");
  EXPECT_FALSE(
      answer["entries"][0]["labels"].contains("ml.googleapis.com/trial_id"));
}

TEST_F(LoggingApiTest, AFilterPicks) {
  Printer one(Dir(first_), "master-replica-0");
  Printer two(Dir(second_), "worker-replica-3");
  one.Print("DEBUG: a\nINFO: b\nERROR: c\n", start_);
  two.Print("WARNING: d\n", start_ + seconds(1));
  EXPECT_THAT(Lines(List(Job("j1") + " AND severity>=WARNING")),
              ElementsAre("1 master-replica-0 ERROR ERROR: c",
                          "2 worker-replica-3 WARNING WARNING: d"));
  EXPECT_EQ(Lines(List(Job("j1") + " AND severity=\"ERROR\"")).size(), 1u);
  EXPECT_EQ(
      Lines(List(Job("j1") + R"( AND labels."ml.googleapis.com/trial_id"="2")"))
          .size(),
      1u);
  EXPECT_EQ(
      Lines(
          List(
              Job("j1") +
              R"( AND (resource.labels.task_name="worker-replica-3" OR labels.task_name="worker-replica-3"))"))
          .size(),
      1u);
}

TEST_F(LoggingApiTest, ASeverityIsARankOnlyWhereItIsCompared) {
  Printer one(Dir(first_), "master-replica-0");
  one.Print("INFO: severity=ERROR\nERROR: c\n", start_);
  EXPECT_THAT(
      Lines(List(Job("j1") + R"( AND jsonPayload.message:"severity=ERROR")")),
      ElementsAre("1 master-replica-0 INFO INFO: severity=ERROR"));
  EXPECT_THAT(Lines(List(Job("j1") + " AND severity >= warning")),
              ElementsAre("1 master-replica-0 ERROR ERROR: c"));
  EXPECT_THAT(Lines(List(Job("j1") + " AND severity:ERR")),
              ElementsAre("1 master-replica-0 ERROR ERROR: c"));
}

// It was once rewritten at quadratic cost before anybody looked at its length.
TEST_F(LoggingApiTest, ALongFilterIsRefusedBeforeAnythingElse) {
  std::string filter;
  while (filter.size() < 60000) filter += "severity>=ERROR ";
  const HttpResponse refused =
      Call("POST", "/v2/entries:list",
           R"({"resourceNames":["projects/p1"],"filter":")" + filter + "\"}");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(std::string(refused.text()), HasSubstr("at most 4096 bytes"));
  const auto exchange = front_.Begin(Request("POST", "/v2/entries:list"));
  EXPECT_LE(exchange->body_limit(), 64u << 10);
}

// What gcloud does: it asks again from the last entry that it saw, up to five
// seconds ago.
TEST_F(LoggingApiTest, AskingOnAndOnNothingIsLostOrRepeated) {
  Printer one(Dir(first_), "master-replica-0");
  Printer two(Dir(second_), "master-replica-0");
  std::vector<std::string> printed;
  std::set<std::string> seen;
  std::string timestamp = "1970-01-01T01:00:00.000000000Z";
  std::string insert_id;
  bool has_ties = false;
  int next = 0;
  for (int round = 0; round < 60; ++round) {
    const Timestamp now = start_ + milliseconds(700 * round);
    if (round < 40) {
      for (int i = 0; i < 3; ++i) {
        const std::string text = "line " + std::to_string(next++);
        printed.push_back(text);
        (i == 1 ? two : one).Print(text + "\n", now);
      }
    }
    const std::string bound = FormatTimestamp(now - seconds(5));
    const std::string from =
        has_ties ? "((timestamp=\"" + timestamp + "\" AND insertId>\"" +
                       insert_id + "\") OR timestamp>\"" + timestamp + "\")"
                 : "timestamp>=\"" + timestamp + "\"";
    const Json answer = List(
        Job("j1") + " AND " + from + " AND timestamp<\"" + bound + "\"", 5);
    for (const Json& entry : answer.value("entries", Json::array())) {
      const std::string at = entry["timestamp"];
      const std::string id = entry["insertId"];
      if (at == timestamp && id <= insert_id) continue;  // As gcloud does.
      has_ties = at == timestamp;
      timestamp = at;
      insert_id = id;
      if (entry["resource"]["labels"]["task_name"] == "service") continue;
      EXPECT_TRUE(
          seen.insert(entry["jsonPayload"]["message"].get<std::string>())
              .second)
          << entry;
    }
  }
  EXPECT_EQ(seen.size(), printed.size());
}

TEST_F(LoggingApiTest, PagesGoOnWhereTheyEnded) {
  Printer one(Dir(first_), "master-replica-0");
  std::string text;
  for (int i = 0; i < 25; ++i) text += std::to_string(i) + "\n";
  one.Print(text, start_);
  std::vector<std::string> lines;
  std::string token;
  int pages = 0;
  do {
    const Json page = List(Job("j1"), 10, token);
    EXPECT_LE(page.value("entries", Json::array()).size(), 10u);
    for (const std::string& line : Lines(page)) lines.push_back(line);
    token = page.value("nextPageToken", "");
  } while (!token.empty() && ++pages < 10);
  ASSERT_EQ(lines.size(), 25u);
  EXPECT_EQ(lines.back(), "1 master-replica-0 INFO 24");
}

TEST_F(LoggingApiTest, TheNewestFirst) {
  Printer one(Dir(first_), "master-replica-0");
  one.Print("a\nb\nc\n", start_);
  Json body = {{"orderBy", "timestamp desc"},
               {"pageSize", 2},
               {"resourceNames", {"projects/p1"}}};
  const Json answer = Parse(Call("POST", "/v2/entries:list", DumpJson(body)));
  EXPECT_THAT(Lines(answer), ElementsAre("1 master-replica-0 INFO c",
                                         "1 master-replica-0 INFO b"));
  body["pageToken"] = answer["nextPageToken"];
  EXPECT_THAT(Lines(Parse(Call("POST", "/v2/entries:list", DumpJson(body)))),
              ElementsAre("1 master-replica-0 INFO a"));
}

// Whatever a page may cost, page after page tells all, once.
TEST_F(LoggingApiTest, PagesThatCostLittleTellAll) {
  Printer one(Dir(first_), "master-replica-0");
  Printer two(Dir(second_), "master-replica-0");
  for (int i = 0; i < 300; ++i) {
    const Timestamp at = start_ + seconds(7 * i);
    one.Print("one " + std::to_string(i) + "\n", at);
    two.Print("two " + std::to_string(i) + "\n", at);
  }
  const std::vector<std::shared_ptr<const StudySnapshot>> studies = {
      store_.Snapshot()->at(study_)};
  const std::vector<LogPageLimits> all_limits = {
      {},
      {.most_read = 1},
      {.most_answered = 1},
      {.most_compared = 3},
      {.most_read = 20000, .most_answered = 100, .most_compared = 50}};
  for (const LogPageLimits& limits : all_limits) {
    for (const bool newest_first : {false, true}) {
      LogEntryQuery query;
      query.newest_first = newest_first;
      query.page_size = 7;
      std::vector<LogPosition> seen;
      for (int pages = 0; pages < 5000; ++pages) {
        const LogPage page =
            ReadLogPage(studies, query, start_ + seconds(3000), limits);
        for (const LogEntry& entry : page.entries) {
          seen.push_back({entry.at, entry.insert_id});
        }
        query.after = page.next;
        if (!page.next.has_value()) break;
      }
      if (newest_first) std::reverse(seen.begin(), seen.end());
      EXPECT_EQ(seen.size(), 601u) << newest_first;  // And "Job is queued."
      EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
      EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
    }
  }
}

// It once read all that there was, whatever was asked for.
TEST_F(LoggingApiTest, TheNewestAreFoundWithoutTheOldest) {
  Printer one(Dir(first_), "master-replica-0");
  const std::string line(1000, 'x');
  for (int i = 0; i < 900; ++i) {
    one.Print(line + "\n", start_ + seconds(60 * i));
  }
  LogEntryQuery query;
  query.newest_first = true;
  query.page_size = 2;
  const LogPage page =
      ReadLogPage({store_.Snapshot()->at(study_)}, query,
                  start_ + seconds(60 * 900), {.most_read = 200000});
  ASSERT_EQ(page.entries.size(), 2u);
  EXPECT_GE(page.entries.back().at, start_ + seconds(60 * 898));
}

TEST_F(LoggingApiTest, RefusesWhatItCannotRead) {
  for (const char* body :
       {"[]", "{", R"({"resourceNames":[]})",
        R"({"resourceNames":["projects/p1"],"filter":"(("})",
        R"({"resourceNames":["projects/p1"],"filter":5})",
        R"({"resourceNames":["projects/p1"],"orderBy":"severity"})",
        R"({"resourceNames":["projects/p1"],"pageToken":"x"})",
        R"({"resourceNames":["folders/p1"]})"}) {
    EXPECT_EQ(Call("POST", "/v2/entries:list", body).status, 400) << body;
  }
  token_ = NewToken("project-read", "p2");
  EXPECT_EQ(
      Call("POST", "/v2/entries:list", R"({"resourceNames":["projects/p1"]})")
          .status,
      404);
}

TEST_F(LoggingApiTest, EachProjectReadsItsOwnLogs) {
  // Of the same name, in another project.
  const AttemptKey other = Launch(Create("j1", "p2"), 1, 0.5);
  Printer mine(Dir(first_), "master-replica-0");
  mine.Print("mine\n", start_);
  Printer theirs(Dir(other), "master-replica-0");
  theirs.Print("theirs\n", start_);
  EXPECT_THAT(Lines(List(Job("j1"))),
              ElementsAre("1 master-replica-0 INFO mine"));
  const Json all = List("");
  EXPECT_THAT(Lines(all), ElementsAre("1 master-replica-0 INFO mine"));
  for (const Json& entry : all["entries"]) {
    EXPECT_EQ(entry["resource"]["labels"]["job_id"], "j1");
    EXPECT_EQ(entry["resource"]["labels"]["project_id"], "p1");
  }
  // Whatever the filter says.
  EXPECT_THAT(Lines(List(Job("j1@p2"))), ElementsAre());
}

}  // namespace
}  // namespace vernier
