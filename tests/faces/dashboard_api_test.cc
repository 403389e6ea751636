#include "faces/dashboard/dashboard_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/random_bits.h"
#include "buckets/bucket_store.h"
#include "edge/http/session_cookie.h"
#include "faces/dashboard/columns.h"
#include "faces/dashboard/page_files.h"
#include "faces/dashboard/sign_in.h"
#include "faces/native/native_methods.h"
#include "tests/faces/columns_reader.h"
#include "tests/faces/page_types.h"
#include "tests/faces/rest_bed.h"
#include "trials/engine/study_engines.h"
#include "trials/study_service.h"
#include "trials/suggestion_service.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The dashboard behind a gate that knows its cookie.
class DashboardTest : public RestBed {
 protected:
  DashboardTest() {
    AddNativeJsonMethods({handlers_, study_handlers_, project_handlers_},
                         &methods_);
    gate_with_page_.AddOpenMount(&IsPagePath, &ServePage);
    gate_with_page_.AddOpenMount(
        &SignIn::Takes,
        [this](const HttpRequest& request) { return sign_in_.Begin(request); });
    gate_with_page_.AddMount(
        &DashboardApi::Takes, v1::READ, v1::READ,
        [this](const HttpRequest& request, const Principal& caller,
               const std::string&) { return api_.Begin(request, caller); });
    gate_with_page_.Open();
  }

  HttpResponse Ask(const HttpRequest& request, const std::string& body = "") {
    const auto exchange = gate_with_page_.Begin(request);
    if (!body.empty()) {
      if (auto answer = exchange->Receive(body)) return *std::move(answer);
    }
    return exchange->Finish();
  }
  HttpResponse Get(const std::string& target) {
    return Ask(Request("GET", target));
  }
  HttpResponse Post(const std::string& target, const std::string& body) {
    return Ask(Request("POST", target), body);
  }

  /// As a browser sends it: without a token, perhaps with a cookie.
  HttpRequest Browser(const std::string& method, const std::string& target,
                      const std::string& cookie = "") {
    HttpRequest request = Request(method, target);
    request.headers.pop_back();
    if (!cookie.empty()) request.headers.emplace_back("cookie", cookie);
    return request;
  }

  static std::string Header(const HttpResponse& response,
                            std::string_view name) {
    for (const auto& [header, value] : response.headers) {
      if (header == name) return value;
    }
    return "";
  }

  /// Signs in with a code, and returns the cookie.
  std::string SignInByCode(const SignInCodes::Grant& grant) {
    const HttpResponse answer =
        Ask(Browser("POST", "/ui/session"),
            "{\"code\":\"" + sign_in_codes_.Issue(grant) + "\"}");
    EXPECT_EQ(answer.status, 200) << answer.text();
    forgery_key_ = Parse(answer)["csrf"].get<std::string>();
    const std::string cookie = Header(answer, "Set-Cookie");
    return cookie.substr(0, cookie.find(';'));
  }

  JsonMethods methods_;
  ThreadPool fitters_{1};
  StudyEngines engines_{store_, [](const std::string&) {}};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { pool_.Run(std::move(work)); },
       [](const std::string&) {}, &fitters_}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{7}; }}};
  StudyHandlers study_handlers_{{studies_, store_, engines_.models(), clock_}};
  ProjectHandlers project_handlers_{{*quotas_, *tokens_, store_, [] {}}};
  std::unique_ptr<BucketStore> buckets_ =
      BucketStore::Open({folder_ / "buckets", {}, &RandomHex}, clock_).value();
  SignIn sign_in_{{authenticator_, *tokens_, sign_in_codes_, clock_},
                  {"vernier_test"}};
  DashboardApi api_{{jobs_, store_, *buckets_, hindrances_, methods_, clock_,
                     folder_ / "data"}};
  HttpGateway gate_with_page_{
      {authenticator_, attempts_, activity_, limiter_, load_},
      {{}, "http", "vernier_test"}};
  std::string forgery_key_;
};

TEST_F(DashboardTest, NothingIsSeenWithoutASession) {
  Create("j1");
  EXPECT_EQ(Ask(Browser("GET", "/ui/api/jobs")).status, 401);
  EXPECT_EQ(Ask(Browser("GET", "/ui/session")).status, 401);
  EXPECT_EQ(Ask(Browser("GET", "/ui/api/changes")).status, 401);
  EXPECT_EQ(Ask(Browser("POST", "/ui/rpc/vernier.v1.JobService/ListJobs"), "{}")
                .status,
            401);
  EXPECT_EQ(Ask(Browser("POST", "/ui/session"), "{}").status, 401);
  EXPECT_EQ(Ask(Browser("POST", "/ui/session"), "{\"code\":\"x\"}").status,
            401);
  EXPECT_EQ(Ask(Browser("POST", "/ui/session"), "{").status, 400);
}

TEST_F(DashboardTest, ACodeSignsInOnce) {
  Create("j1");
  const std::string code = sign_in_codes_.Issue({});
  const std::string body = "{\"code\":\"" + code + "\"}";
  const HttpResponse first = Ask(Browser("POST", "/ui/session"), body);
  EXPECT_EQ(first.status, 200);
  EXPECT_THAT(Header(first, "Set-Cookie"), HasSubstr("HttpOnly"));
  EXPECT_THAT(Header(first, "Set-Cookie"), HasSubstr("SameSite=Strict"));
  EXPECT_EQ(Ask(Browser("POST", "/ui/session"), body).status, 401);
  const std::string cookie =
      Header(first, "Set-Cookie")
          .substr(0, Header(first, "Set-Cookie").find(';'));
  EXPECT_EQ(Ask(Browser("GET", "/ui/api/jobs", cookie)).status, 200);
  // The other APIs do not take the cookie.
  EXPECT_EQ(Ask(Browser("GET", "/v1/projects/p1/jobs", cookie)).status, 401);
}

TEST_F(DashboardTest, AChangeNeedsTheHeaderThatThePageKnows) {
  Create("j1");
  const std::string cookie = SignInByCode({});
  const std::string path = "/ui/rpc/vernier.v1.JobService/CancelJob";
  const std::string body = R"({"jobId":"j1@p1"})";
  EXPECT_EQ(Ask(Browser("POST", path, cookie), body).status, 403);
  HttpRequest request = Browser("POST", path, cookie);
  request.headers.emplace_back("x-vernier-csrf", std::string(64, '0'));
  EXPECT_EQ(Ask(request, body).status, 403);
  request.headers.back().second = forgery_key_;
  EXPECT_EQ(Ask(request, body).status, 200);
  EXPECT_EQ(Parse(Get("/ui/api/jobs"))["jobs"][0]["state"], "CANCELLING");
  // A page of another origin, and one whose host name leads here.
  request.headers.emplace_back("origin", "http://127.0.0.1:9999");
  EXPECT_EQ(Ask(request, body).status, 403);
  request = Browser("GET", "/ui/api/jobs", cookie);
  request.headers.front().second = "evil.example";
  EXPECT_EQ(Ask(request).status, 421);
}

TEST_F(DashboardTest, SigningOutEndsTheSession) {
  const std::string cookie = SignInByCode({});
  EXPECT_EQ(Ask(Browser("DELETE", "/ui/session", cookie)).status, 403);
  HttpRequest request = Browser("DELETE", "/ui/session", cookie);
  request.headers.emplace_back("x-vernier-csrf", forgery_key_);
  const HttpResponse answer = Ask(request);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(Header(answer, "Set-Cookie"), HasSubstr("Max-Age=0"));
  EXPECT_EQ(Ask(Browser("GET", "/ui/api/jobs", cookie)).status, 401);
}

TEST_F(DashboardTest, WhoLooksAtOneProjectSeesAndChangesNothingElse) {
  Create("mine", "p1");
  Create("theirs", "p2");
  SignInCodes::Grant grant;
  grant.scope = TokenScope::kProjectRead;
  grant.project = "p1";
  grant.may_run = false;
  const std::string cookie = SignInByCode(grant);
  const Json session = Parse(Ask(Browser("GET", "/ui/session", cookie)));
  EXPECT_EQ(session["canWrite"], false);
  EXPECT_EQ(session["canRun"], false);
  EXPECT_EQ(session["project"], "p1");
  const Json list = Parse(Ask(Browser("GET", "/ui/api/jobs", cookie)));
  ASSERT_EQ(list["jobs"].size(), 1u);
  EXPECT_EQ(list["jobs"][0]["name"], "mine");
  for (const std::string what :
       {"", "/trials", "/curves", "/select?filter=trial%3D1", "/timeline",
        "/events", "/log/1", "/files/1", "/file/1?path=a"}) {
    EXPECT_EQ(Ask(Browser("GET", "/ui/api/studies/theirs%40p2" + what, cookie))
                  .status,
              404)
        << what;
  }
  HttpRequest change =
      Browser("POST", "/ui/rpc/vernier.v1.JobService/CancelJob", cookie);
  change.headers.emplace_back("x-vernier-csrf", forgery_key_);
  EXPECT_EQ(Ask(change, R"({"jobId":"mine"})").status, 403);
  change.path = "/ui/api/submit";
  EXPECT_EQ(Ask(change, R"({"text":"{}"})").status, 403);
  change.path = "/ui/rpc/vernier.v1.JobService/GetJob";
  EXPECT_EQ(Ask(change, R"({"jobId":"mine"})").status, 200);
  EXPECT_EQ(Ask(change, R"({"jobId":"theirs@p2"})").status, 404);
}

TEST_F(DashboardTest, AJobIsSummedUp) {
  const StudyId study = Create("j1");
  Complete(Launch(study, 1, 0.25), 3);
  Complete(Launch(study, 2, 0.5), 1);
  Complete(Launch(study, 3, 0.75), 2);
  Launch(study, 4, 0.1);
  const Json job = Parse(Get("/ui/api/jobs"))["jobs"][0];
  EXPECT_EQ(job["id"], "j1@p1");
  EXPECT_EQ(job["name"], "j1");
  EXPECT_EQ(job["kind"], "job");
  EXPECT_EQ(job["goal"], "MINIMIZE");
  EXPECT_EQ(job["metric"], "loss");
  EXPECT_EQ(job["best"]["trial"], 2);
  EXPECT_EQ(job["best"]["value"], 1.0);
  EXPECT_EQ(job["best"]["parameters"]["x"], "0.5");
  EXPECT_EQ(job["counts"]["max"], 5);
  EXPECT_EQ(job["counts"]["total"], 4);
  EXPECT_EQ(job["counts"]["running"], 1);
  EXPECT_EQ(job["counts"]["completed"], 3);
  EXPECT_EQ(job["spark"], (std::vector<double>{3, 1, 1}));
  const Json whole = Parse(Get("/ui/api/studies/j1%40p1"));
  EXPECT_EQ(whole["space"][0]["name"], "x");
  EXPECT_EQ(whole["space"][0]["type"], "DOUBLE");
  EXPECT_EQ(whole["causes"]["success"], 3);
  EXPECT_EQ(whole["parallel"], 5);
  EXPECT_EQ(whole["best"], job["best"]);
}

TEST_F(DashboardTest, AnswersHaveTheMembersThatThePageKnows) {
  const StudyId study = Create("j1");
  Complete(Launch(study, 1, 0.25), 3);
  const auto difference = [](const std::string& name, const Json& answer) {
    return DifferenceFromPage(
        std::filesystem::path(VERNIER_TESTDATA_DIR) / "../web/src/types.ts",
        name, answer);
  };
  const std::string cookie = SignInByCode({});
  EXPECT_EQ(
      difference("Session", Parse(Ask(Browser("GET", "/ui/session", cookie)))),
      "");
  const Json job = Parse(Get("/ui/api/jobs"))["jobs"][0];
  EXPECT_EQ(difference("JobSummary", job), "");
  EXPECT_EQ(difference("Counts", job["counts"]), "");
  EXPECT_EQ(difference("BestTrial", job["best"]), "");
  const Json whole = Parse(Get("/ui/api/studies/j1%40p1"));
  EXPECT_EQ(difference("StudyInfo", whole), "");
  EXPECT_EQ(difference("Parameter", whole["space"][0]), "");
  const Json event =
      Parse(Get("/ui/api/studies/j1%40p1/events?limit=1"))["events"][0];
  EXPECT_EQ(difference("ServiceEvent", event), "");
  EXPECT_EQ(difference("EventWords", event["words"]), "");
}

TEST_F(DashboardTest, TrialsComeInColumnsAndThenOnlyWhatChanged) {
  const StudyId study = Create("j1");
  Complete(Launch(study, 1, 0.25), 3);
  const AttemptKey running = Launch(study, 2, 0.5);
  const std::string path = "/ui/api/studies/j1%40p1/trials";
  const HttpResponse answer = Get(path);
  EXPECT_EQ(Header(answer, "Content-Type"), ColumnWriter::kContentType);
  const ColumnsReader all{std::string(answer.text())};
  EXPECT_EQ(all.header()["full"], true);
  EXPECT_THAT(all.Get<std::int32_t>("id"), ElementsAre(1, 2));
  EXPECT_THAT(all.Get<double>("p:x"), ElementsAre(0.25, 0.5));
  EXPECT_EQ(all.Get<double>("value")[0], 3);
  EXPECT_TRUE(std::isnan(all.Get<double>("value")[1]));
  EXPECT_THAT(all.Get<std::uint8_t>("final"), ElementsAre(1, 0));
  const Json& states = all.header()["dictionaries"]["state"];
  EXPECT_EQ(states[all.Get<std::uint8_t>("state")[0]], "completed");
  EXPECT_EQ(states[all.Get<std::uint8_t>("state")[1]], "active");
  const Json& methods = all.header()["dictionaries"]["method"];
  EXPECT_EQ(methods[static_cast<int>(SuggestionMethod::kUnseenValue)],
            "UNSEEN_VALUE");
  const std::string since =
      "?since=" + std::to_string(all.header()["sequence"].get<int>());
  // What runs may have new measurements, which are no events.
  EXPECT_THAT(ColumnsReader(std::string(Get(path + since).text()))
                  .Get<std::int32_t>("id"),
              ElementsAre(2));
  Complete(running, 1);
  Launch(study, 3, 0.75);
  const ColumnsReader changed{std::string(Get(path + since).text())};
  EXPECT_EQ(changed.header()["full"], false);
  EXPECT_THAT(changed.Get<std::int32_t>("id"), ElementsAre(2, 3));
  EXPECT_EQ(Get(path + "?since=x").status, 400);
}

// The page has columns of the names that metrics had.
TEST_F(DashboardTest, ARenameSendsAllTrialsAnew) {
  const StudyId study = Create("j1");
  Complete(Launch(study, 1, 0.25), 3);
  Launch(study, 2, 0.5);
  const std::string path = "/ui/api/studies/j1%40p1/trials";
  const ColumnsReader all{std::string(Get(path).text())};
  const std::string since =
      "?since=" + std::to_string(all.header()["sequence"].get<int>());
  JobRevision rename;
  rename.edit = R"({"vernier":{"renamedFrom":{"error":["loss"]}}})";
  const auto revised = jobs_.ReviseJob("j1@p1", rename);
  ASSERT_TRUE(revised.ok()) << revised.status();
  const ColumnsReader again{std::string(Get(path + since).text())};
  EXPECT_EQ(again.header()["full"], true);
  EXPECT_THAT(again.Get<std::int32_t>("id"), ElementsAre(1, 2));
  EXPECT_EQ(Parse(Get("/ui/api/studies/j1%40p1"))["metric"], "error");
}

TEST_F(DashboardTest, CurvesFiltersAndTheTimelineAreServed) {
  const StudyId study = Create("j1");
  const AttemptKey key = Launch(study, 1, 0.25);
  Measurement measurement;
  measurement.metric = "loss";
  std::vector<Measurement> measurements;
  for (int step = 1; step <= 500; ++step) {
    measurement.step = step;
    measurement.value = 1.0 / step;
    measurements.push_back(measurement);
  }
  Commit({AddMeasurements{key, measurements}});
  Complete(key, 0.002);
  const std::string path = "/ui/api/studies/j1%40p1";
  const ColumnsReader curves{
      std::string(Get(path + "/curves?metric=loss&points=50").text())};
  EXPECT_THAT(curves.Get<std::int32_t>("trial"), ElementsAre(1));
  EXPECT_LE(curves.Get<double>("step").size(), 50u);
  EXPECT_EQ(curves.Get<double>("step").back(), 500);
  EXPECT_EQ(Get(path + "/curves?points=1").status, 400);
  EXPECT_EQ(Get(path + "/curves?trials=2").status, 400);
  const ColumnsReader chosen{
      std::string(Get(path + "/select?filter=objective%3C1").text())};
  EXPECT_THAT(chosen.Get<std::int32_t>("id"), ElementsAre(1));
  EXPECT_EQ(Get(path + "/select?filter=nothing%3C1").status, 400);
  const ColumnsReader timeline{std::string(Get(path + "/timeline").text())};
  EXPECT_THAT(timeline.Get<std::int32_t>("slot"), ElementsAre(0));
  EXPECT_EQ(timeline.header()["slots"][0], "slot 1");
  const Json events = Parse(Get(path + "/events?after=-2"));
  ASSERT_EQ(events["events"].size(), 2u);
  EXPECT_EQ(events["events"][1]["kind"], "trial.completed");
  // Those before one of them, in the same order.
  const Json older = Parse(
      Get(absl::StrCat(path, "/events?limit=2&before=",
                       events["events"][1]["sequence"].get<std::int64_t>())));
  ASSERT_EQ(older["events"].size(), 2u);
  EXPECT_EQ(older["events"][1], events["events"][0]);
  EXPECT_EQ(Parse(Get(path + "/events?before=1"))["events"].size(), 0u);
  EXPECT_EQ(Parse(Get(path + "/log/1"))["replicas"].size(), 0u);
  EXPECT_EQ(Get(path + "/log/9").status, 404);
  const Json files = Parse(Get(path + "/files/1"));
  EXPECT_EQ(files["entries"].size(), 0u);
  EXPECT_THAT(files["note"].get<std::string>(), HasSubstr("left no files"));
  EXPECT_EQ(Get(path + "/file/1?path=a").status, 404);
  EXPECT_EQ(Get(path + "/files/2").status, 404);
  EXPECT_EQ(Get(path + "/nothing").status, 404);
}

// Its jobDir leads into the service's own folder, where keys and secrets are.
TEST_F(DashboardTest, FilesOfTheServiceItselfAreNobodys) {
  const auto submit = [this](const std::string& name, const std::string& dir) {
    Json job = Parse(Post("/ui/api/validate",
                          DumpJson(Json{{"text", JobJson(name)}})))["job"];
    job["trainingInput"]["jobDir"] = dir;
    const Json body = {{"text", DumpJson(job)}, {"project", "p1"}};
    EXPECT_EQ(Post("/ui/api/submit", DumpJson(body)).status, 200);
    Launch(FindJob(*store_.Snapshot(), name + "@p1")->id, 1, 0.5);
    return "/ui/api/studies/" + name + "%40p1/";
  };
  const std::string data = folder_ / "data";
  std::filesystem::create_directories(data + "/1");
  std::ofstream(data + "/1/secret") << "canary";
  const std::string inside = submit("inside", data);
  EXPECT_EQ(Get(inside + "files/1").status, 403);
  EXPECT_EQ(Get(inside + "file/1?path=secret").status, 403);
  const std::string beside = folder_ / "out";
  std::filesystem::create_directories(beside + "/1/sub");
  std::ofstream(beside + "/1/model.txt") << "weights";
  std::filesystem::create_symlink(data + "/1/secret", beside + "/1/link");
  const std::string outside = submit("outside", beside);
  const Json files = Parse(Get(outside + "files/1"));
  // The link could not be opened.
  ASSERT_EQ(files["entries"].size(), 2u) << files;
  EXPECT_EQ(files["entries"][0]["name"], "sub");
  EXPECT_EQ(files["entries"][1]["name"], "model.txt");
  EXPECT_EQ(files["entries"][1]["bytes"], 7);
  const HttpResponse file = Get(outside + "file/1?path=model.txt");
  // It is read as it is sent, so that a reader who stops costs nothing.
  ASSERT_NE(file.source, nullptr);
  EXPECT_EQ(file.source_length, 7u);
  std::string bytes;
  EXPECT_TRUE(file.source->Next(&bytes));
  EXPECT_EQ(bytes, "weights");
  EXPECT_THAT(Header(file, "Content-Disposition"), HasSubstr("attachment"));
  EXPECT_NE(Get(outside + "file/1?path=link").status, 200);
  EXPECT_NE(Get(outside + "file/1?path=../../data/1/secret").status, 200);
  EXPECT_NE(Get(outside + "files/1?path=..").status, 200);
  EXPECT_NE(Get(outside + "file/1?path=sub").status, 200);
}

// A thousand times the same curve is one.
TEST_F(DashboardTest, ATrialThatIsNamedTwiceIsReadOnce) {
  const StudyId study = Create("j1");
  Complete(Launch(study, 1, 0.5), 0.5);
  std::string named = "1";
  for (int i = 1; i < 1000; ++i) named += ",1";
  const std::string path = "/ui/api/studies/j1%40p1/curves?trials=";
  EXPECT_EQ(std::string(Get(path + named).text()),
            std::string(Get(path + "1").text()));
}

// YAML takes many times its length once it is parsed.
TEST_F(DashboardTest, TheTextOfAJobIsWeighedBeforeItIsParsed) {
  std::string text = "a: [";
  for (int i = 0; i < 50'000; ++i) text += "1,";
  for (const char* path : {"/ui/api/validate", "/ui/api/submit"}) {
    const HttpResponse answer =
        Post(path, DumpJson(Json{{"text", text + "1]"}}));
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_THAT(std::string(answer.text()), HasSubstr("too many values"));
  }
}

// "It is not there" and "it is no package" would tell which files there are.
TEST_F(DashboardTest, AReaderLearnsNothingOfTheDiskFromAValidation) {
  token_ = NewToken("project-read", "p1");
  const auto validate = [this](const std::string& package) {
    Json job = Json::parse(JobJson("j"));
    job["trainingInput"]["packageUris"] = Json::array({package});
    job["trainingInput"]["pythonModule"] = "m";
    job["vernier"].erase("command");
    return std::string(
        Post("/ui/api/validate", DumpJson(Json{{"text", DumpJson(job)}}))
            .text());
  };
  files_.problem = absl::NotFoundError("no such file");
  EXPECT_THAT(validate("/etc/nothing.whl"), HasSubstr("\"ok\":true"));
  token_ = NewToken("project-write", "p1", true);
  EXPECT_THAT(validate("/etc/nothing.whl"), HasSubstr("no such file"));
}

TEST_F(DashboardTest, WithoutAJobDirFilesAreThoseOfTheWorkingDirectory) {
  const Json body = {{"text", JobJson("plain")}, {"project", "p1"}};
  EXPECT_EQ(Post("/ui/api/submit", DumpJson(body)).status, 200);
  const auto study = FindJob(*store_.Snapshot(), "plain@p1");
  Launch(study->id, 1, 0.5);
  const std::string work = JobRunOf(*study).run_dir + "/1/1/work";
  std::filesystem::create_directories(work);
  std::ofstream(work + "/model.pt") << "weights";
  std::ofstream(folder_ / "train.py") << "code";
  std::filesystem::create_symlink(folder_ / "train.py", work + "/train.py");
  const std::string path = "/ui/api/studies/plain%40p1/";
  const Json files = Parse(Get(path + "files/1"));
  ASSERT_EQ(files["entries"].size(), 1u) << files;
  EXPECT_EQ(files["entries"][0]["name"], "model.pt");
  EXPECT_EQ(files["folder"], work);
  EXPECT_EQ(Get(path + "file/1?path=model.pt").source_length, 7u);
  EXPECT_NE(Get(path + "file/1?path=train.py").status, 200);
  // A folder that all trials share would show what none of them left.
  std::filesystem::remove_all(work);
  std::filesystem::create_symlink(folder_.path(), work);
  EXPECT_EQ(Parse(Get(path + "files/1"))["entries"].size(), 0u);
  EXPECT_EQ(Get(path + "file/1?path=train.py").status, 404);
}

TEST_F(DashboardTest, AJobFileIsCheckedWithItsPlaces) {
  const Json wrong = Parse(Post(
      "/ui/api/validate",
      DumpJson(Json{{"text", "jobId: a\ntrainingInput:\n  scaleTier: X\n"}})));
  EXPECT_EQ(wrong["ok"], false);
  bool has_place = false;
  for (const Json& error : wrong["errors"]) {
    if (error["field"] != "trainingInput.scaleTier") continue;
    EXPECT_EQ(error["line"], 3);
    EXPECT_EQ(error["column"], 14);
    has_place = true;
  }
  EXPECT_TRUE(has_place) << wrong;
  const Json body = {{"text", JobJson("j9")}, {"requestId", "r"}};
  const Json right = Parse(Post("/ui/api/validate", DumpJson(body)));
  EXPECT_EQ(right["ok"], true);
  EXPECT_EQ(right["job"]["jobId"], "j9");
  EXPECT_EQ(Parse(Post("/ui/api/submit", DumpJson(body)))["id"], "j9");
  // A second click submits nothing.
  EXPECT_EQ(Parse(Post("/ui/api/submit", DumpJson(body)))["id"], "j9");
  EXPECT_EQ(Parse(Get("/ui/api/jobs"))["jobs"].size(), 1u);
  EXPECT_EQ(Post("/ui/api/submit", R"({"text":"{}"})").status, 400);
}

TEST_F(DashboardTest, ChangesAreToldOnce) {
  Create("j1");
  const HttpResponse answer = Get("/ui/api/changes?since=0");
  EXPECT_EQ(Header(answer, "Content-Type"), "text/event-stream");
  ASSERT_NE(answer.source, nullptr);
  EXPECT_GT(answer.source->pause().count(), 0);
  std::string piece;
  ASSERT_TRUE(answer.source->Next(&piece));
  EXPECT_THAT(piece, HasSubstr("event: change\n"));
  EXPECT_THAT(piece, HasSubstr("\"studies\":[\"j1@p1\"]"));
  piece.clear();
  ASSERT_TRUE(answer.source->Next(&piece));
  EXPECT_EQ(piece, "");
  Create("j2");
  ASSERT_TRUE(answer.source->Next(&piece));
  EXPECT_THAT(piece, HasSubstr("j2@p1"));
  EXPECT_THAT(piece, Not(HasSubstr("j1")));
}

TEST_F(DashboardTest, ThePageItselfMayBeHadByAnybody) {
  const HttpResponse root = Ask(Browser("GET", "/"));
  EXPECT_EQ(root.status, 302);
  EXPECT_EQ(Header(root, "Location"), "/ui/");
  HttpRequest request = Browser("GET", "/ui/jobs/any/where");
  request.headers.emplace_back("accept-encoding", "gzip");
  const HttpResponse page = Ask(request);
  EXPECT_EQ(page.status, 200);
  const std::string policy = Header(page, "Content-Security-Policy");
  EXPECT_THAT(policy, HasSubstr("script-src 'self'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_EQ(Header(page, "Content-Encoding"), "gzip");
  EXPECT_EQ(Ask(Browser("GET", "/ui/assets/nothing.js")).status, 404);
  EXPECT_EQ(Ask(Browser("POST", "/ui/"), "x").status, 405);
}

}  // namespace
}  // namespace vernier
