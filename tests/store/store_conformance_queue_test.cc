// What every Store does with points that were given by hand, or proposed.

#include <cmath>

#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

QueuePoints Queue(StudyId study, const std::vector<double>& rates,
                  const std::string& request_id = "") {
  QueuePoints change{study, {}, request_id};
  for (const double rate : rates) change.points.push_back({{"rate", rate}});
  return change;
}

// "4:0.25 5:0.5": what waits, and for which trial.
std::string QueueOf(const StudySnapshot& study) {
  std::string text;
  for (const auto& point : study.queued) {
    absl::StrAppend(&text, text.empty() ? "" : " ", ToInt(point->trial), ":",
                    std::get<double>(point->parameters[0].value));
  }
  return text;
}

ProposePoints Propose(StudyId study, const std::string& source,
                      const std::vector<double>& rates,
                      const std::string& request_id = "") {
  ProposePoints change{study, source, {}, request_id};
  for (const double rate : rates) change.points.push_back({{"rate", rate}});
  return change;
}

// "me:0.25 you:0.5": what was proposed, and by whom.
std::string ProposedIn(const StudySnapshot& study) {
  std::string text;
  for (const auto& point : study.proposed) {
    absl::StrAppend(&text, text.empty() ? "" : " ", point->source, ":",
                    std::get<double>(point->parameters[0].value));
  }
  return text;
}

TEST_P(StoreConformanceTest, ANewJobQueuesItsInitialPoints) {
  const StudyId study = AddJob({.initial_rates = {0.25, 0.5}});
  EXPECT_EQ(QueueOf(Study(study)), "1:0.25 2:0.5");
  EXPECT_EQ(Study(study).trials.size(), 0u);
  EXPECT_EQ(EventKinds(), "job.created point.queued point.queued ");
}

TEST_P(StoreConformanceTest, PointsQueueBehindThoseThatWait) {
  const StudyId study = AddJob({.initial_rates = {0.25}});
  MustCommit({Queue(study, {0.5, 0.75})});
  EXPECT_EQ(QueueOf(Study(study)), "1:0.25 2:0.5 3:0.75");
  EXPECT_EQ(Events().back().payload,
            R"({"for_trial":3,"parameters":{"rate":0.75}})");
  EXPECT_EQ(Study(study).last_event, Events().back().sequence);
}

TEST_P(StoreConformanceTest, AQueuedPointIsNumberedAsTheTrialItWillBe) {
  const StudyId study = AddJob();
  AddTrials(study, 2);
  MustCommit({Queue(study, {0.5})});
  EXPECT_EQ(QueueOf(Study(study)), "3:0.5");
}

TEST_P(StoreConformanceTest, ATrialTakesItsPointOffTheQueue) {
  const StudyId study = AddJob({.initial_rates = {0.25, 0.5, 0.75}});
  MustCommit(
      {CreateTrials{study, {MakeTrialByHand(0.25), MakeTrialByHand(0.5)}}});
  EXPECT_EQ(QueueOf(Study(study)), "3:0.75");
  EXPECT_EQ(Trial(study, 2).parameters, (Parameters{{"rate", 0.5}}));
  MustCommit({CreateTrials{study, {MakeTrialByHand(0.75), MakeTrial(0.1)}}});
  EXPECT_EQ(QueueOf(Study(study)), "");
  EXPECT_EQ(Study(study).trials.size(), 4u);
}

TEST_P(StoreConformanceTest, NoSuggestionComesBeforeAQueuedPoint) {
  const StudyId study = AddJob();
  MustCommit({Queue(study, {0.5})});
  Refuses(StatusCode::kAborted, {CreateTrials{study, {MakeTrial(0.1)}}});
  NewTrial same_place = MakeTrialByHand(0.5);
  same_place.origin.record->method = SuggestionMethod::kRandom;
  Refuses(StatusCode::kAborted, {CreateTrials{study, {same_place}}});
  Refuses(StatusCode::kAborted, {CreateTrials{study, {MakeTrialByHand(0.4)}}});
}

TEST_P(StoreConformanceTest, TrialsAndQueuedPointsStayWithinMaxTrials) {
  const StudyId study = AddJob({.max_trials = 3});
  AddTrials(study, 1);
  Refuses(StatusCode::kFailedPrecondition, {Queue(study, {0.1, 0.2, 0.3})});
  MustCommit({Queue(study, {0.1, 0.2})});
  Refuses(StatusCode::kFailedPrecondition, {Queue(study, {0.3})});
  MustCommit({ExtendJob{study, 4}, Queue(study, {0.3})});
}

TEST_P(StoreConformanceTest, QueuesAllPointsOfOneRequestOrNone) {
  const StudyId study = AddJob();
  Refuses(StatusCode::kInvalidArgument, {Queue(study, {0.1, std::nan("")})});
  Refuses(StatusCode::kNotFound, {Queue(StudyId{9}, {0.1})});
}

TEST_P(StoreConformanceTest, AFinishedJobTakesNoPointUntilItIsReopened) {
  const StudyId study = AddJob();
  MustCommit({MoveJob{study, JobEvent::kFail, "broke"}});
  Refuses(StatusCode::kFailedPrecondition, {Queue(study, {0.1})});
  MustCommit({MoveJob{study, JobEvent::kReopen, ""}, Queue(study, {0.1})});
}

TEST_P(StoreConformanceTest, AJobThatIsToBeStoppedTakesNoPoint) {
  const StudyId study = AddJob();
  MustCommit(
      {SetJobWanted{study, JobWanted::kPause, WantedCause::kUser, "wait"},
       Queue(study, {0.1})});
  MustCommit(
      {SetJobWanted{study, JobWanted::kStop, WantedCause::kUser, "enough"}});
  Refuses(StatusCode::kFailedPrecondition, {Queue(study, {0.2})});
}

TEST_P(StoreConformanceTest, QueuedPointsOutliveTheEndOfTheirJobNotItsRows) {
  const StudyId study = AddJob({.initial_rates = {0.25}});
  MustCommit({MoveJob{study, JobEvent::kFail, "broke"}});
  EXPECT_EQ(QueueOf(Study(study)), "1:0.25");
  MustCommit({DeleteJob{study}});
}

TEST_P(StoreConformanceTest, ARepeatedRequestQueuesNothing) {
  const StudyId study = AddJob({.max_trials = 3});
  MustCommit({Queue(study, {0.1, 0.2}, "r")});
  const std::string before = Everything();
  MustCommit({Queue(study, {0.1, 0.2}, "r")});
  EXPECT_EQ(Everything(), before);
  MustCommit(
      {CreateTrials{study, {MakeTrialByHand(0.1), MakeTrialByHand(0.2)}}});
  MustCommit({Queue(study, {0.1, 0.2}, "r")});
  EXPECT_EQ(QueueOf(Study(study)), "");
}

TEST_P(StoreConformanceTest, ProposedPointsStayInOrderAndTakeNoPlace) {
  const StudyId study = AddJob({.max_trials = 1});
  MustCommit({Propose(study, "me", {0.25, 0.5})});
  MustCommit({Propose(study, "you", {0.5})});
  EXPECT_EQ(ProposedIn(Study(study)), "me:0.25 me:0.5 you:0.5");
  EXPECT_EQ(Events().back().kind, "point.proposed");
  EXPECT_EQ(Events().back().payload,
            R"({"source":"you","parameters":{"rate":0.5}})");
  EXPECT_EQ(Study(study).last_event, Events().back().sequence);
  // The search may try anything, and what it tried stays in the list.
  MustCommit({CreateTrials{study, {MakeTrial(0.25)}}});
  EXPECT_EQ(ProposedIn(Study(study)), "me:0.25 me:0.5 you:0.5");
}

TEST_P(StoreConformanceTest, AllPointsOfAProposalAreTakenOrNone) {
  const StudyId study = AddJob();
  Refuses(StatusCode::kInvalidArgument,
          {Propose(study, "me", {0.1, std::nan("")})});
  Refuses(StatusCode::kInvalidArgument, {Propose(study, "", {0.1})});
  Refuses(StatusCode::kInvalidArgument,
          {Propose(study, std::string(kMaxSourceBytes + 1, 'x'), {0.1})});
  Refuses(StatusCode::kInvalidArgument, {Propose(study, "a\nb", {0.1})});
  Refuses(StatusCode::kInvalidArgument, {Propose(study, "\xff", {0.1})});
}

TEST_P(StoreConformanceTest, AStudyHasSoManyProposalsOfSoManySources) {
  const StudyId study = AddJob();
  MustCommit({Propose(study, "me",
                      std::vector<double>(kMostProposedPoints - 100, 0.5))});
  for (std::size_t i = 1; i < kMostSources; ++i) {
    MustCommit({Propose(study, absl::StrCat("source ", i), {0.5})});
  }
  Refuses(StatusCode::kResourceExhausted, {Propose(study, "another", {0.5})});
  MustCommit({Propose(study, "me", {0.5})});
  Refuses(StatusCode::kResourceExhausted, {Propose(study, "me", {0.5})});
}

TEST_P(StoreConformanceTest, AJobThatEndsTakesNoProposal) {
  const StudyId study = AddJob();
  MustCommit(
      {SetJobWanted{study, JobWanted::kPause, WantedCause::kUser, "wait"},
       Propose(study, "me", {0.1})});
  MustCommit(
      {SetJobWanted{study, JobWanted::kStop, WantedCause::kUser, "enough"}});
  Refuses(StatusCode::kFailedPrecondition, {Propose(study, "me", {0.2})});
  MustCommit({MoveJob{study, JobEvent::kFail, "broke"}});
  Refuses(StatusCode::kFailedPrecondition, {Propose(study, "me", {0.2})});
  MustCommit(
      {MoveJob{study, JobEvent::kReopen, ""}, Propose(study, "me", {0.2})});
  EXPECT_EQ(ProposedIn(Study(study)), "me:0.1 me:0.2");
  MustCommit({MoveJob{study, JobEvent::kFail, "broke"}, DeleteJob{study}});
}

TEST_P(StoreConformanceTest, StudiesOfClientsTakeProposalsWhileActive) {
  const StudyId study = AddClientStudy();
  MustCommit({Propose(study, "me", {0.1})});
  EXPECT_EQ(ProposedIn(Study(study)), "me:0.1");
  MustCommit({MoveStudy{study, StudyState::kCompleted, "enough"}});
  Refuses(StatusCode::kFailedPrecondition, {Propose(study, "me", {0.2})});
  MustCommit({DeleteStudy{study}});
}

TEST_P(StoreConformanceTest, ARepeatedProposalAddsNothing) {
  const StudyId study = AddJob();
  MustCommit({Propose(study, "me", {0.1}, "r")});
  const std::string before = Everything();
  MustCommit({Propose(study, "me", {0.1}, "r")});
  EXPECT_EQ(Everything(), before);
  Refuses(StatusCode::kInvalidArgument, {Propose(study, "you", {0.1}, "r")});
  Refuses(StatusCode::kInvalidArgument, {Queue(study, {0.1}, "r")});
}

TEST_P(StoreConformanceTest, ARequestIdIsForOneRequest) {
  const StudyId study = AddJob({.request_id = "job"});
  MustCommit({Queue(study, {0.1}, "r")});
  Refuses(StatusCode::kInvalidArgument, {Queue(study, {0.2}, "r")});
  Refuses(StatusCode::kInvalidArgument, {Queue(study, {0.1}, "job")});
  const StudyId other = AddJob({.job_id = "other"});
  Refuses(StatusCode::kInvalidArgument, {Queue(other, {0.1}, "r")});
}

}  // namespace
}  // namespace vernier
