#include "trials/submission/job_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "study/job_file/code_notes.h"
#include "tests/trials/submission/job_service_bed.h"

namespace vernier {
namespace {

TEST_F(JobServiceTest, PointsMeetTheConstraintsAndSomePointDoes) {
  const auto create = [&](const char* job_id, const char* constraints) {
    return service_
        .CreateJob(Parse(job_id, kSpace,
                         absl::StrCat("command: [/bin/true], "
                                      "parameterConstraints: ",
                                      constraints)
                             .c_str()),
                   "")
        .status();
  };
  EXPECT_EQ(create("empty", "[x <= 0.25, 3*x >= 1]").message(),
            "vernier.parameterConstraints: no configuration of the search "
            "space meets together \"x <= 0.25\"; \"3*x >= 1\"; widen the "
            "parameters' bounds, or drop one");
  ASSERT_TRUE(create("a", "[x <= 0.25]").ok());
  EXPECT_EQ(service_.AddTrials("a", {R"({"x":0.5})"}, "").status().message(),
            "the point does not meet the constraint \"x <= 0.25\"");
  EXPECT_TRUE(service_.AddTrials("a", {R"({"x":0.25})"}, "").ok());
}

TEST_F(JobServiceTest, StoresAJobAndWakesTheOrchestrator) {
  const auto created = service_.CreateJob(Parse("a", kSpace), "");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(JobRunOf(*(*created)).state, JobState::kQueued);
  EXPECT_EQ((*created)->seed, 99u);
  EXPECT_EQ(wakes_, 1);
  EXPECT_TRUE(service_.GetJob("a").ok());
}

TEST_F(JobServiceTest, EnableTrialEarlyStoppingIsTheRuleOfToday) {
  const std::string space = absl::StrCat(std::string(kSpace, sizeof kSpace - 2),
                                         ", enableTrialEarlyStopping: true}");
  const auto created = service_.CreateJob(Parse("a", space), "");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ((*created)->spec->stopping_rule, StoppingRule::kAuto);
  EXPECT_NE(JobRunOf(*(*created))
                .spec_json.find(R"("earlyStopping":{"rule":"AUTO"})"),
            std::string::npos)
      << "stored, so that it stays so";
  const auto other = service_.CreateJob(
      Parse("b", space, "command: [/bin/true], earlyStopping: MEDIAN"), "");
  EXPECT_EQ((*other)->spec->stopping_rule, StoppingRule::kMedian);
  const auto none = service_.CreateJob(Parse("c", kSpace), "");
  EXPECT_EQ((*none)->spec->stopping_rule, StoppingRule::kNone);
}

TEST_F(JobServiceTest, AModuleThatNothingBringsIsRefused) {
  const std::string project(kDefaultProject);
  const ParsedJob job = Parse(
      "m", std::string("pythonModule: trainer.task, ") + kSpace, "seed: 1");
  for (const absl::Status& refused :
       {service_.CreateJob(job, "").status(),
        service_.ValidateJob(job, project).status()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
    EXPECT_EQ(refused.message().find("trainingInput.pythonModule: "), 0u);
    EXPECT_NE(refused.message().find("\"trainer.task\""), std::string::npos);
  }
  for (const auto& [input, vernier] :
       {std::pair("pythonModule: m, ", "codeDir: /code"),
        std::pair("pythonModule: m, ", "environment: {PYTHONPATH: /lib}"),
        std::pair("pythonModule: m, ", "command: [/bin/true]"),
        std::pair("pythonModule: m, packageUris: [/a.whl], ", "seed: 1")}) {
    const absl::Status status =
        service_
            .ValidateJob(Parse("m", std::string(input) + kSpace, vernier),
                         project)
            .status();
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST_F(JobServiceTest, KeepsSecretsApartFromTheJob) {
  ParsedJob job = Parse("a", kSpace);
  job.secrets = {{"API_KEY", "canary"}, {"OTHER", "x"}};
  const auto created = service_.CreateJob(job, "");
  ASSERT_TRUE(created.ok()) << created.status();
  const StudyRecord& stored = *(*created);
  EXPECT_EQ(JobRunOf(stored).spec->vernier.secret_names,
            (std::vector<std::string>{"API_KEY", "OTHER"}));
  EXPECT_EQ(files_.secrets[JobRunOf(stored).spec->vernier.secrets_file],
            job.secrets);
  EXPECT_EQ(JobRunOf(stored).spec_json.find("canary"), std::string::npos);
  Move(stored.id, {JobEvent::kRequestCancel, JobEvent::kConfirmCancel});
  ASSERT_TRUE(service_.DeleteJob("a", {}).ok());
  EXPECT_TRUE(files_.secrets.empty());
}

TEST_F(JobServiceTest, DropsTheSecretsOfAJobThatIsRefused) {
  Create("a");
  ParsedJob job = Parse("a", kSpace);
  job.secrets = {{"API_KEY", "canary"}};
  EXPECT_FALSE(service_.CreateJob(job, "another").ok());
  EXPECT_TRUE(files_.secrets.empty());
}

TEST_F(JobServiceTest, RefusesSecretsThatNoVariableCanHold) {
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"A-B", "canary"}, {"Z", std::string("canary\0", 7)}}) {
    ParsedJob job = Parse("a", kSpace);
    job.secrets = {{name, value}};
    const absl::Status refused = service_.CreateJob(job, "").status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
    EXPECT_EQ(std::string(refused.message()).find("canary"), std::string::npos);
  }
}

TEST_F(JobServiceTest, RefusesRelativeFolders) {
  const auto code = service_.CreateJob(
      Parse("a", kSpace, "command: [/bin/true], codeDir: here"), "");
  EXPECT_TRUE(absl::IsInvalidArgument(code.status())) << code.status();
  EXPECT_EQ(
      code.status().message().find("vernier.codeDir: must be an absolute"), 0u);
  EXPECT_TRUE(files_.copies.empty());
  const auto output =
      service_.CreateJob(Parse("a", kSpace + std::string(", jobDir: out")), "");
  EXPECT_TRUE(absl::IsInvalidArgument(output.status())) << output.status();
  EXPECT_FALSE(
      service_.ValidateJob(Parse("a", kSpace + std::string(", jobDir: out")))
          .ok());
}

TEST_F(JobServiceTest, RefusesCodeThatIsTheServicesOwn) {
  const auto refused = service_.CreateJob(
      Parse("a", kSpace, "command: [/bin/true], codeDir: /data"), "");
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status())) << refused.status();
  ASSERT_TRUE(service_.CreateJob(Parse("a", kSpace), "").ok());
  JobRevision asked;
  asked.code_dir = "/data";
  EXPECT_TRUE(absl::IsInvalidArgument(service_.ReviseJob("a", asked).status()));
  EXPECT_TRUE(files_.copies.empty());
}

TEST_F(JobServiceTest, RefusesAnImageThatWouldBeAnOption) {
  const auto refused = service_.CreateJob(
      *ParseJob("{jobId: j, trainingInput: {masterConfig: {imageUri: "
                "--privileged}}}",
                {}),
      "");
  EXPECT_EQ(refused.status().message().find(
                "trainingInput.masterConfig.imageUri: cannot begin with"),
            0u)
      << refused.status();
}

TEST_F(JobServiceTest, RefusesAParameterOfTheOutputFoldersName) {
  const std::string space =
      "hyperparameters: {goal: MINIMIZE, maxTrials: 1, params: "
      "[{parameterName: "
      "job-dir, type: INTEGER, minValue: 1, maxValue: 2}]}";
  const auto refused =
      service_.CreateJob(Parse("a", space + ", jobDir: /tmp"), "");
  EXPECT_EQ(refused.status().message().find(
                "trainingInput.hyperparameters.params: a parameter cannot be "
                "called job-dir"),
            0u)
      << refused.status();
  EXPECT_TRUE(service_.CreateJob(Parse("a", space), "").ok());
}

TEST_F(JobServiceTest, RefusesAnOutputFolderThatCannotBeMade) {
  const auto refused = service_.CreateJob(
      Parse("a", kSpace + std::string(", jobDir: /proc/nosuch")), "");
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status())) << refused.status();
  EXPECT_EQ(refused.status().message().find("trainingInput.jobDir: "), 0u);
}

TEST_F(JobServiceTest, PackagesAreInABucketOrAbsolute) {
  const auto job = [](const std::string& uri) {
    return *ParseJob(
        "{jobId: p, trainingInput: {pythonModule: m, packageUris: [" + uri +
            "]}}",
        {});
  };
  for (const char* uri : {"a.tar.gz", "https://host/a.tar.gz", "../a.whl"}) {
    EXPECT_TRUE(
        absl::IsInvalidArgument(service_.CreateJob(job(uri), "").status()))
        << uri;
    EXPECT_TRUE(
        absl::IsInvalidArgument(service_.ValidateJob(job(uri)).status()))
        << uri;
  }
  EXPECT_TRUE(
      service_.CreateJob(job("gs://bucket/a.tar.gz, /srv/b.whl"), "").ok());
}

TEST_F(JobServiceTest, AJobIsStoredWithTheHashesOfItsPackages) {
  const auto job = *ParseJob(
      "{jobId: p, trainingInput: {pythonModule: m, region: r, packageUris: "
      "[gs://bucket/a.tar.gz, /srv/b.whl]}, vernier: {seed: 7}}",
      {});
  const auto created = service_.CreateJob(job, "request");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(JobRunOf(*(*created)).spec->vernier.seed, 7);
  EXPECT_EQ(JobRunOf(*(*created)).spec->vernier.package_sha256,
            (PackageHashes{{"gs://bucket/a.tar.gz", files_.hash},
                           {"/srv/b.whl", files_.hash}}));
  // What is stored is what is read again.
  const auto again = ParseJob(JobRunOf(*(*created)).spec_json, {});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->json, JobRunOf(*(*created)).spec_json);
  EXPECT_EQ(files_.kept, std::vector<std::string>{"p"});
  EXPECT_TRUE(files_.copies.empty());
  // The same request is answered with the same job; of changed packages it is
  // another request.
  EXPECT_TRUE(service_.CreateJob(job, "request").ok());
  files_.hash = std::string(64, 'b');
  EXPECT_TRUE(
      absl::IsInvalidArgument(service_.CreateJob(job, "request").status()));
  EXPECT_TRUE(files_.copies.empty());
}

TEST_F(JobServiceTest, AHashThatTheJobSaysMustBeThePackages) {
  const auto create = [&](char digit) {
    return service_.CreateJob(
        *ParseJob("{jobId: p, trainingInput: {pythonModule: m, packageUris: "
                  "[/srv/b.whl, /srv/c.whl]}, vernier: {packageSha256: "
                  "{/srv/b.whl: \"" +
                      std::string(64, digit) + "\"}}}",
                  {}),
        "");
  };
  const absl::Status status = create('b').status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_NE(status.message().find("/srv/b.whl has the SHA-256 " + files_.hash +
                                  ", not " + std::string(64, 'b')),
            std::string::npos)
      << status;
  EXPECT_TRUE(files_.copies.empty());
  const auto created = create('a');
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(JobRunOf(*(*created)).spec->vernier.package_sha256.size(), 2u);
}

TEST_F(JobServiceTest, AHashIsThatOfAPackage) {
  const auto job = *ParseJob(
      "{jobId: p, trainingInput: {pythonModule: m, packageUris: [/srv/b.whl]}, "
      "vernier: {packageSha256: {/srv/c.whl: \"" +
          std::string(64, '0') + "\"}}}",
      {});
  const absl::Status status = service_.CreateJob(job, "").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_NE(status.message().find("\"/srv/c.whl\" is not one of"),
            std::string::npos)
      << status;
}

TEST_F(JobServiceTest, BucketsAreCheckedBeforeAnythingIsCopiedOrStored) {
  const ParsedJob job = Parse("a", kSpace, "command: [x], codeDir: /code");
  EXPECT_TRUE(
      absl::IsPermissionDenied(service_.CreateJob(job, "", "p2").status()));
  EXPECT_TRUE(
      absl::IsPermissionDenied(service_.ValidateJob(job, "p2").status()));
  EXPECT_TRUE(files_.copies.empty());
  EXPECT_TRUE(store_.Snapshot()->empty());
}

TEST_F(JobServiceTest, InitialPointsWaitToBeTheFirstTrials) {
  const auto created = service_.CreateJob(
      Parse("a", kSpace,
            "command: [/bin/true], initialPoints: [{x: 0.5}, {x: 1}]"),
      "");
  ASSERT_TRUE(created.ok()) << created.status();
  ASSERT_EQ((*created)->queued.size(), 2u);
  EXPECT_EQ((*created)->queued[1]->parameters, (Parameters{{"x", 1.0}}));
}

TEST_F(JobServiceTest, InitialPointsOfAResumedJobFitTheSpaceItTakesOver) {
  Move(Create("old"), {JobEvent::kSucceed});
  const auto resume = [&](const std::string& points) {
    return service_.CreateJob(
        Parse("new", "hyperparameters: {resumePreviousJobId: old}",
              "command: [/bin/true], initialPoints: " + points),
        "");
  };
  const auto wrong = resume("[{x: 2}]");
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(wrong.status().message().find("must be a number from 0 to 1: "),
            std::string::npos)
      << wrong.status();
  const auto created = resume("[{x: 0.5}]");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ((*created)->queued.size(), 1u);
}

TEST_F(JobServiceTest, AddsPointsToWaitAndWakesTheOrchestrator) {
  Create("a");
  const auto added =
      service_.AddTrials("a", {R"({"x":0.5})", R"({"x":"1e-3"})"}, "");
  ASSERT_TRUE(added.ok()) << added.status();
  ASSERT_EQ((*added)->queued.size(), 2u);
  EXPECT_EQ((*added)->queued[1]->parameters, (Parameters{{"x", 0.001}}));
  EXPECT_EQ(wakes_, 2);
}

TEST_F(JobServiceTest, RefusesPointsThatDoNotFit) {
  Create("a");
  const struct {
    std::vector<std::string> points;
    const char* message;
  } kCases[] = {
      {{}, "there must be 1 to 1000 points: 0"},
      {{R"({"x":2})"}, R"(parameter "x" must be in [0, 1]: 2)"},
      {{"{}"}, R"(parameter "x" is missing, and has no defaultValue)"},
      {{R"({"x":0.5,"units":1})"},
       R"(the search space has no parameter "units")"},
      {{R"({"x":0.5})", R"({"x":"fast"})"},
       R"(points[1]: parameter "x" must be a finite number: "fast")"},
  };
  for (const auto& one : kCases) {
    const auto answer = service_.AddTrials("a", one.points, "");
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(answer.status().message(), one.message);
  }
  EXPECT_TRUE((*service_.GetJob("a"))->queued.empty());
}

TEST_F(JobServiceTest, SaysWhatWouldMakeRoomForAPoint) {
  const std::vector<std::string> three(3, R"({"x":0.5})");
  EXPECT_EQ(service_.AddTrials("a", three, "").status().code(),
            absl::StatusCode::kNotFound);
  const StudyId study = Create("a");
  ASSERT_TRUE(service_.AddTrials("a", three, "").ok());
  const auto refused = service_.AddTrials("a", three, "");
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(
      refused.status().message(),
      "job \"a\" may have 4 trials: it has 0, and 3 points wait, so that "
      "there is no room for 3 more; extend it to at least 6 trials first");
  Move(study, {JobEvent::kSucceed});
  EXPECT_EQ(service_.AddTrials("a", three, "").status().message(),
            "job \"a\" is SUCCEEDED; extend it to run more trials");
}

TEST_F(JobServiceTest, RefusesPointsOfAJobThatIsBeingStoppedOrHasNoSpace) {
  Create("a");
  ASSERT_TRUE(service_.CancelJob("a").ok());
  EXPECT_EQ(service_.AddTrials("a", {R"({"x":0.5})"}, "").status().code(),
            absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(service_.CreateJob(Parse("plain", "region: x"), "").ok());
  EXPECT_EQ(service_.AddTrials("plain", {"{}"}, "").status().message(),
            "job \"plain\" has no hyperparameters: it has one trial only");
}

TEST_F(JobServiceTest, ARepeatedAdditionIsAnsweredEvenAfterTheEnd) {
  const StudyId study = Create("a");
  ASSERT_TRUE(service_.AddTrials("a", {R"({"x":0.5})"}, "r").ok());
  Move(study, {JobEvent::kSucceed});
  const auto again = service_.AddTrials("a", {R"({"x":0.5})"}, "r");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->queued.size(), 1u);
  EXPECT_EQ(service_.AddTrials("a", {R"({"x":0.6})"}, "r").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(JobServiceTest, ATakenNameIsRefusedAndLeavesNoCopy) {
  Create("a");
  const auto again = service_.CreateJob(
      Parse("a", kSpace, "command: [/bin/true], codeDir: /src"), "");
  EXPECT_EQ(again.status().code(), absl::StatusCode::kAlreadyExists);
  const auto other_request = service_.CreateJob(
      Parse("a", kSpace, "command: [/bin/true], codeDir: /src"), "r2");
  EXPECT_EQ(other_request.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(files_.copies.empty());
}

TEST_F(JobServiceTest, ARepeatedRequestGivesTheFirstAnswer) {
  const ParsedJob job =
      Parse("a", kSpace, "command: [/bin/true], codeDir: /src");
  const auto first = service_.CreateJob(job, "r1");
  const auto second = service_.CreateJob(job, "r1");
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ((*first)->id, (*second)->id);
  EXPECT_EQ(files_.copies,
            std::vector<std::string>{JobRunOf(*(*first)).code_dir});
}

TEST_F(JobServiceTest, AnUnknownJobIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(service_.GetJob("no").status()));
  EXPECT_TRUE(absl::IsNotFound(service_.CancelJob("no").status()));
  EXPECT_TRUE(absl::IsNotFound(service_.DeleteJob("no", {}).status()));
}

TEST_F(JobServiceTest, CancelIsForJobsThatAreNotFinal) {
  const StudyId study = Create("a");
  const auto cancelled = service_.CancelJob("a");
  ASSERT_TRUE(cancelled.ok());
  EXPECT_EQ(JobRunOf(*(*cancelled)).state, JobState::kCancelling);
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).state, JobState::kCancelling)
      << "what was acknowledged is seen by the next read";
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).wanted, JobWanted::kStop);
  EXPECT_TRUE(service_.CancelJob("a").ok()) << "twice is once";
  Move(study, {JobEvent::kConfirmCancel});
  EXPECT_TRUE(absl::IsFailedPrecondition(service_.CancelJob("a").status()));
}

TEST_F(JobServiceTest, PauseAndResume) {
  Create("a");
  ASSERT_TRUE(service_.PauseJob("a", "paused for lunch").ok());
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).wanted_reason,
            "paused for lunch");
  ASSERT_TRUE(service_.ResumeJob("a").ok());
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).wanted, JobWanted::kRun);
}

TEST_F(JobServiceTest, APauseMayPreemptWhatRuns) {
  const StudyId study = Create("a");
  const AttemptKey key{study, TrialId{1}, 1};
  NewTrial trial;
  trial.parameters = {{"x", 0.5}};
  ASSERT_TRUE(store_
                  .Commit({CreateTrials{study, {trial}},
                           IntendLaunch{key, "6e6f6e6365", {}}},
                          {})
                  .ok());
  ASSERT_TRUE(service_.PauseJob("a", "paused for lunch").ok());
  const auto attempt = [&] {
    return (*service_.GetJob("a"))->trials.Get(TrialId{1}).attempts.at(0);
  };
  EXPECT_FALSE(attempt().kill_wanted);
  // Later, too, and twice.
  const auto preempted = JobService::Running::kIsPreempted;
  ASSERT_TRUE(service_.PauseJob("a", "lunch", preempted).ok());
  EXPECT_TRUE(attempt().kill_wanted);
  EXPECT_EQ(attempt().kill_cause, TrialEndCause::kPreempted);
  ASSERT_TRUE(service_.PauseJob("a", "lunch", preempted).ok());
}

TEST_F(JobServiceTest, ATrialIsStoppedByItself) {
  const StudyId study = Create("a");
  NewTrial trial;
  trial.parameters = {{"x", 0.5}};
  const AttemptKey key{study, TrialId{1}, 1};
  ASSERT_TRUE(store_
                  .Commit({CreateTrials{study, {trial, trial}},
                           IntendLaunch{key, "6e6f6e6365", {}}},
                          {})
                  .ok());
  // One that runs ends first; repeating it changes nothing.
  const auto stopping = service_.StopTrial("a", TrialId{1});
  ASSERT_TRUE(stopping.ok()) << stopping.status();
  const TrialRecord& first = (*stopping)->trials.Get(TrialId{1});
  EXPECT_EQ(first.state, TrialState::kStopping);
  EXPECT_EQ(first.attempts[0].kill_cause, TrialEndCause::kStoppedByUser);
  EXPECT_TRUE(service_.StopTrial("a", TrialId{1}).ok());
  // One that waits is final at once.
  const auto stopped = service_.StopTrial("a", TrialId{2});
  ASSERT_TRUE(stopped.ok()) << stopped.status();
  const TrialRecord& second = (*stopped)->trials.Get(TrialId{2});
  EXPECT_EQ(second.state, TrialState::kStopped);
  EXPECT_EQ(second.end_cause, TrialEndCause::kStoppedByUser);
  EXPECT_EQ(second.message, "stopped by a user");
  EXPECT_TRUE(
      absl::IsFailedPrecondition(service_.StopTrial("a", TrialId{2}).status()));
  EXPECT_TRUE(absl::IsNotFound(service_.StopTrial("a", TrialId{3}).status()));
  EXPECT_TRUE(absl::IsNotFound(service_.StopTrial("a", TrialId{0}).status()));
  EXPECT_TRUE(absl::IsNotFound(service_.StopTrial("b", TrialId{1}).status()));
}

// Its last attempt ended, and the next one is not there yet.
TEST_F(JobServiceTest, ATrialThatWaitsForARetryIsStoppedAtOnce) {
  const StudyId study = Create("a");
  NewTrial trial;
  trial.parameters = {{"x", 0.5}};
  const AttemptKey key{study, TrialId{1}, 1};
  ASSERT_TRUE(store_
                  .Commit({CreateTrials{study, {trial}},
                           IntendLaunch{key, "6e6f6e6365", {}},
                           EndAttempt{key,
                                      AttemptEvent::kLose,
                                      TrialEndCause::kInfrastructure,
                                      std::nullopt,
                                      std::nullopt,
                                      "",
                                      {}}},
                          {})
                  .ok());
  const auto stopped = service_.StopTrial("a", TrialId{1});
  ASSERT_TRUE(stopped.ok()) << stopped.status();
  EXPECT_EQ((*stopped)->trials.Get(TrialId{1}).state, TrialState::kStopped);
}

TEST_F(JobServiceTest, ResumeReopensACancelledJob) {
  const StudyId study = Create("a");
  Move(study, {JobEvent::kRequestCancel, JobEvent::kConfirmCancel});
  const auto resumed = service_.ResumeJob("a");
  ASSERT_TRUE(resumed.ok()) << resumed.status();
  EXPECT_EQ(JobRunOf(*(*resumed)).state, JobState::kQueued);
  EXPECT_EQ(JobRunOf(*(*resumed)).wanted, JobWanted::kRun);
}

TEST_F(JobServiceTest, ASucceededJobIsExtendedNotResumed) {
  const StudyId study = Create("a");
  Move(study, {JobEvent::kSucceed});
  EXPECT_TRUE(absl::IsFailedPrecondition(service_.ResumeJob("a").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(service_.ExtendJob("a", 3).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(service_.ExtendJob("a", 1'000'001).status()));
  const auto extended = service_.ExtendJob("a", 6);
  ASSERT_TRUE(extended.ok()) << extended.status();
  EXPECT_EQ(JobRunOf(*(*extended)).max_trials, 6);
  EXPECT_EQ(JobRunOf(*(*extended)).state, JobState::kQueued);
}

TEST_F(JobServiceTest, WhatTrialsLeftGoesOnlyIfThatWasSaid) {
  const StudyId study = Create("a");
  Move(study, {JobEvent::kSucceed});
  files_.outputs = {.files = 3, .bytes = 2048};
  const auto refused = service_.DeleteJob("a", {});
  EXPECT_TRUE(absl::IsFailedPrecondition(refused.status()));
  EXPECT_THAT(std::string(refused.status().message()),
              testing::AllOf(testing::HasSubstr("3 files (2.0 KiB)"),
                             testing::HasSubstr("with_outputs"),
                             testing::HasSubstr("nothing was deleted")));
  EXPECT_EQ(service_.DeleteJob("a", {.validate_only = true})->files, 3);
  EXPECT_TRUE(service_.GetJob("a").ok());
  EXPECT_EQ(service_.DeleteJob("a", {.with_outputs = true})->files, 3);
  EXPECT_TRUE(absl::IsNotFound(service_.GetJob("a").status()));
}

TEST_F(JobServiceTest, NotesAboutTheCopyStayWithItsCode) {
  const char* const kCode = "command: [/bin/true], codeDir: /src";
  const auto notes = [&] {
    return CodeNotesOf(JobRunOf(*(*service_.GetJob("a"))).spec_json);
  };
  files_.code_notes = {"not copied: .git"};
  ASSERT_TRUE(service_.CreateJob(Parse("a", kSpace, kCode), "id").ok());
  EXPECT_EQ(notes(), files_.code_notes);
  // The same request, though something else would be left out now.
  const std::vector<std::string> before = files_.code_notes;
  files_.code_notes = {"not copied: .git, __pycache__"};
  const auto again = service_.CreateJob(Parse("a", kSpace, kCode), "id");
  EXPECT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(notes(), before);
  // Other settings with the same code, and then other code.
  JobRevision asked;
  asked.job = Parse("a", kSpace, std::string(kCode) + ", argStyle: EQUALS");
  ASSERT_TRUE(service_.ReviseJob("a", asked).ok());
  EXPECT_EQ(notes(), before);
  files_.source_content = "second";
  ASSERT_TRUE(service_.ReviseJob("a", asked).ok());
  EXPECT_EQ(notes(), files_.code_notes);
}

TEST_F(JobServiceTest, DeleteIsForFinalJobsAndTakesTheFilesAlong) {
  const StudyId study = Create("a");
  EXPECT_TRUE(absl::IsFailedPrecondition(service_.DeleteJob("a", {}).status()));
  Move(study, {JobEvent::kSucceed});
  EXPECT_TRUE(service_.DeleteJob("a", {}).ok());
  EXPECT_EQ(files_.removed, std::vector<std::string>{"a"});
  EXPECT_TRUE(absl::IsNotFound(service_.GetJob("a").status()));
}

TEST_F(JobServiceTest, AResumedJobTakesOverWhatItLeavesOut) {
  Move(Create("old"), {JobEvent::kSucceed});
  const auto created = service_.CreateJob(
      Parse("new", "hyperparameters: {maxTrials: 9, resumePreviousJobId: old}"),
      "");
  ASSERT_TRUE(created.ok()) << created.status();
  const HyperparameterSpec& merged =
      *JobRunOf(*(*created)).spec->training_input.hyperparameters;
  EXPECT_EQ(merged.goal, Goal::kMinimize);
  EXPECT_EQ(merged.metric_tag, "loss");
  EXPECT_EQ(merged.params.size(), 1u);
  EXPECT_EQ(merged.max_trials, 9);
  EXPECT_EQ(JobRunOf(*(*created)).resumed_study, (*service_.GetJob("old"))->id);
}

TEST_F(JobServiceTest, AResumedJobMustBeFinalKnownAndTheSame) {
  const StudyId old = Create("old");
  const auto resume = [&](const std::string& name, const std::string& more) {
    return service_
        .CreateJob(Parse("new", "hyperparameters: {resumePreviousJobId: " +
                                    name + more + "}"),
                   "")
        .status()
        .code();
  };
  EXPECT_EQ(resume("unknown", ""), absl::StatusCode::kNotFound);
  EXPECT_EQ(resume("old", ""), absl::StatusCode::kFailedPrecondition);
  Move(old, {JobEvent::kSucceed});
  EXPECT_EQ(resume("old", ", goal: MAXIMIZE"),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(resume("old", ", goal: MINIMIZE"), absl::StatusCode::kOk);
}

TEST_F(JobServiceTest, AResumedJobIsOneOfTheSameProject) {
  Move(Create("old"), {JobEvent::kSucceed});
  const ParsedJob job =
      Parse("new", "hyperparameters: {resumePreviousJobId: old}");
  EXPECT_TRUE(absl::IsNotFound(service_.ValidateJob(job, "p1").status()));
  EXPECT_TRUE(absl::IsNotFound(service_.CreateJob(job, "", "p1").status()));
  const auto own = service_.CreateJob(Parse("old", kSpace), "", "p1");
  ASSERT_TRUE(own.ok()) << own.status();
  Move((*own)->id, {JobEvent::kSucceed});
  const auto created = service_.CreateJob(job, "", "p1");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ((*created)->name, "new@p1");
  EXPECT_EQ(JobRunOf(*(*created)).resumed_study, (*own)->id);
}

TEST_F(JobServiceTest, ANameIsOneJobsInEachProject) {
  const StudyId first = Create("a");
  const auto second = service_.CreateJob(Parse("a", kSpace), "", "p1");
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(absl::IsAlreadyExists(
      service_.CreateJob(Parse("a", kSpace), "", "p1").status()));
  EXPECT_EQ((*service_.GetJob("a"))->id, first);
  EXPECT_EQ((*service_.GetJob("a@p1"))->id, (*second)->id);
  // What its programs see is the plain name.
  EXPECT_EQ(JobRunOf(*(*second)).spec->job_id, "a");
  EXPECT_TRUE(service_.CancelJob("a@p1").ok());
  EXPECT_EQ(JobRunOf(*(*service_.GetJob("a"))).wanted, JobWanted::kRun);
  EXPECT_TRUE(absl::IsInvalidArgument(
      service_.CreateJob(Parse("a", kSpace), "", "No_Project").status()));
}

TEST_F(JobServiceTest, AJobThatAnotherLearnsFromIsNotDeleted) {
  Move(Create("old"), {JobEvent::kSucceed});
  ASSERT_TRUE(
      service_
          .CreateJob(
              Parse("new", "hyperparameters: {resumePreviousJobId: old}"), "")
          .ok());
  EXPECT_TRUE(
      absl::IsFailedPrecondition(service_.DeleteJob("old", {}).status()));
}

TEST_F(JobServiceTest, LabelsAreReplacedUnlessTheJobChangedMeanwhile) {
  Create("a");
  const std::int64_t version = (*service_.GetJob("a"))->version;
  ASSERT_TRUE(service_.UpdateLabels("a", {{"k", "v"}}, version).ok());
  EXPECT_TRUE(
      absl::IsAborted(service_.UpdateLabels("a", {}, version).status()));
}

}  // namespace
}  // namespace vernier
