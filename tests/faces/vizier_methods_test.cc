// Every call of vizier.VizierService over the wire, and its status codes.

#include "faces/vizier/vizier_methods.h"

#include "tests/faces/vizier_bed.h"

namespace vernier {
namespace {

using absl::StatusCode;
using Stub = vizier::VizierService::Stub;
using google::protobuf::Empty;

class VizierMethodsTest : public VizierBed {
 protected:
  template <typename Request>
  static Request Named(const std::string& name) {
    Request request;
    request.set_name(name);
    return request;
  }
  template <typename Request>
  static Request Below(const std::string& parent) {
    Request request;
    request.set_parent(parent);
    return request;
  }

  absl::Status SetState(vizier::Study::State state, vizier::Study* study) {
    auto request = Below<vizier::SetStudyStateRequest>(kStudy);
    request.set_state(state);
    return Call(&Stub::SetStudyState, request, study);
  }

  vizier::CreateTrialRequest Point(double x) {
    auto request = Below<vizier::CreateTrialRequest>(kStudy);
    auto* parameter = request.mutable_trial()->add_parameters();
    parameter->set_parameter_id("x");
    parameter->mutable_value()->set_number_value(x);
    return request;
  }
};

TEST_F(VizierMethodsTest, AStudyComesBackAsItWasSent) {
  auto request = StudyRequestFor("a.b <c> \"d\", [e]");
  auto* parameter =
      request.mutable_study()->mutable_study_spec()->mutable_parameters(0);
  parameter->set_external_type(vizier::StudySpec::ParameterSpec::AS_FLOAT);
  auto* item = request.mutable_study()->mutable_study_spec()->add_metadata();
  item->set_key("k");
  item->set_value("v");
  vizier::Study made;
  ASSERT_TRUE(Call(&Stub::CreateStudy, request, &made).ok());
  EXPECT_EQ(made.name(), "owners/me/studies/a.b <c> \"d\", [e]");
  EXPECT_EQ(made.state(), vizier::Study::ACTIVE);
  EXPECT_TRUE(made.has_create_time());
  vizier::Study got;
  ASSERT_TRUE(
      Call(&Stub::GetStudy, Named<vizier::GetStudyRequest>(made.name()), &got)
          .ok());
  EXPECT_EQ(got.study_spec().SerializeAsString(),
            request.study().study_spec().SerializeAsString());
  EXPECT_EQ(got.display_name(), request.study().display_name());
}

TEST_F(VizierMethodsTest, MakingItAgainReturnsTheFirst) {
  MakeStudy();
  vizier::Study again;
  ASSERT_TRUE(Call(&Stub::CreateStudy,
                   StudyRequestFor("a study", "QUASI_RANDOM_SEARCH"), &again)
                  .ok());
  EXPECT_EQ(again.study_spec().algorithm(), "RANDOM_SEARCH");
}

TEST_F(VizierMethodsTest, CreateStudyRefusesWhatIsWrong) {
  const auto code = [&](const vizier::CreateStudyRequest& request) {
    return CodeOf<vizier::Study>(&Stub::CreateStudy, request);
  };
  auto request = StudyRequestFor();
  request.mutable_study()->set_name("owners/me/studies/a study");
  EXPECT_EQ(code(request), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(StudyRequestFor("")), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(StudyRequestFor("a/b")), StatusCode::kInvalidArgument);
  request = StudyRequestFor();
  request.set_parent("me");
  EXPECT_EQ(code(request), StatusCode::kInvalidArgument);
  request = StudyRequestFor();
  request.mutable_study()->mutable_study_spec()->clear_metrics();
  EXPECT_EQ(code(request), StatusCode::kInvalidArgument);
}

TEST_F(VizierMethodsTest, EveryAlgorithmIsKnownOrRefused) {
  const std::pair<const char*, StatusCode> algorithms[] = {
      {"", StatusCode::kOk},
      {"DEFAULT", StatusCode::kOk},
      {"ALGORITHM_UNSPECIFIED", StatusCode::kOk},
      {"GP_UCB_PE", StatusCode::kOk},
      {"GAUSSIAN_PROCESS_BANDIT", StatusCode::kOk},
      {"RANDOM_SEARCH", StatusCode::kOk},
      {"QUASI_RANDOM_SEARCH", StatusCode::kOk},
      {"NSGA2", StatusCode::kUnimplemented},
      {"BOCS", StatusCode::kUnimplemented},
      {"HARMONICA", StatusCode::kUnimplemented},
      {"CMA_ES", StatusCode::kUnimplemented},
      {"EAGLE_STRATEGY", StatusCode::kUnimplemented},
      {"NOPE", StatusCode::kInvalidArgument},
      // A DOUBLE has no grid.
      {"GRID_SEARCH", StatusCode::kInvalidArgument},
      {"SHUFFLED_GRID_SEARCH", StatusCode::kInvalidArgument},
  };
  for (const auto& [name, code] : algorithms) {
    EXPECT_EQ(
        CodeOf<vizier::Study>(&Stub::CreateStudy,
                              StudyRequestFor(absl::StrCat("s", name), name)),
        code)
        << name;
  }
}

TEST_F(VizierMethodsTest, WhatIsMissingIsNotFound) {
  const StatusCode missing = StatusCode::kNotFound;
  const std::string trial = TrialName(1);
  const auto check = [&] {
    EXPECT_EQ(CodeOf<vizier::Trial>(&Stub::GetTrial,
                                    Named<vizier::GetTrialRequest>(trial)),
              missing);
    EXPECT_EQ(CodeOf<Empty>(&Stub::DeleteTrial,
                            Named<vizier::DeleteTrialRequest>(trial)),
              missing);
    EXPECT_EQ(CodeOf<vizier::Trial>(&Stub::StopTrial,
                                    Named<vizier::StopTrialRequest>(trial)),
              missing);
    EXPECT_EQ(Measure(1, 0.5, 1).code(), missing);
    vizier::Trial response;
    EXPECT_EQ(Complete(1, 0.5, &response).code(), missing);
    vizier::CheckTrialEarlyStoppingStateRequest early;
    early.set_trial_name(trial);
    EXPECT_EQ(CodeOf<vizier::CheckTrialEarlyStoppingStateResponse>(
                  &Stub::CheckTrialEarlyStoppingState, early),
              missing);
    EXPECT_EQ(CodeOf<vizier::Operation>(
                  &Stub::GetOperation,
                  Named<vizier::GetOperationRequest>(
                      "owners/me/operations/suggestion/a study/c/1")),
              missing);
  };
  check();
  EXPECT_EQ(CodeOf<vizier::Study>(&Stub::GetStudy,
                                  Named<vizier::GetStudyRequest>(kStudy)),
            missing);
  EXPECT_EQ(CodeOf<Empty>(&Stub::DeleteStudy,
                          Named<vizier::DeleteStudyRequest>(kStudy)),
            missing);
  EXPECT_EQ(CodeOf<vizier::Study>(&Stub::SetStudyState,
                                  Below<vizier::SetStudyStateRequest>(kStudy)),
            missing);
  EXPECT_EQ(CodeOf<vizier::ListTrialsResponse>(
                &Stub::ListTrials, Below<vizier::ListTrialsRequest>(kStudy)),
            missing);
  EXPECT_EQ(CodeOf<vizier::ListOptimalTrialsResponse>(
                &Stub::ListOptimalTrials,
                Below<vizier::ListOptimalTrialsRequest>(kStudy)),
            missing);
  EXPECT_EQ(CodeOf<vizier::Trial>(&Stub::CreateTrial, Point(0.5)), missing);
  EXPECT_EQ(
      CodeOf<vizier::UpdateMetadataResponse>(
          &Stub::UpdateMetadata, Named<vizier::UpdateMetadataRequest>(kStudy)),
      missing);
  MakeStudy();
  check();
}

TEST_F(VizierMethodsTest, ANameOfAnotherFormIsInvalid) {
  for (const char* name : {"", "x", "owners/me", "owners/me/studies/",
                           "owners//studies/a", "owners/me/studies/a/trials"}) {
    EXPECT_EQ(CodeOf<vizier::Study>(&Stub::GetStudy,
                                    Named<vizier::GetStudyRequest>(name)),
              StatusCode::kInvalidArgument)
        << name;
  }
  for (const char* name :
       {"", "owners/me/studies/a", "owners/me/studies/a/trials/0",
        "owners/me/studies/a/trials/x", "owners/me/studies/a/trials/-1",
        "owners/me/studies/a/trials/99999999999999999999"}) {
    EXPECT_EQ(CodeOf<vizier::Trial>(&Stub::GetTrial,
                                    Named<vizier::GetTrialRequest>(name)),
              StatusCode::kInvalidArgument)
        << name;
  }
  EXPECT_EQ(CodeOf<vizier::Operation>(
                &Stub::GetOperation,
                Named<vizier::GetOperationRequest>("owners/me/operations/1")),
            StatusCode::kInvalidArgument);
}

TEST_F(VizierMethodsTest, SuggestedTrialsAreActiveForTheirClient) {
  MakeStudy();
  vizier::SuggestTrialsResponse response;
  vizier::Operation operation;
  ASSERT_TRUE(Suggest("w", 2, &response, &operation).ok());
  EXPECT_EQ(operation.name(), "owners/me/operations/suggestion/a study/w/1");
  EXPECT_FALSE(operation.has_metadata());
  ASSERT_EQ(response.trials_size(), 2);
  EXPECT_EQ(response.study_state(), vizier::Study::ACTIVE);
  EXPECT_TRUE(response.has_end_time());
  const vizier::Trial& trial = response.trials(0);
  EXPECT_EQ(trial.name(), TrialName(1));
  EXPECT_EQ(trial.id(), "1");
  EXPECT_EQ(trial.state(), vizier::Trial::ACTIVE);
  EXPECT_EQ(trial.client_id(), "w");
  EXPECT_TRUE(trial.has_start_time());
  EXPECT_EQ(trial.parameters(0).parameter_id(), "x");
  EXPECT_TRUE(trial.parameters(0).value().has_number_value());

  vizier::Operation found;
  ASSERT_TRUE(Call(&Stub::GetOperation,
                   Named<vizier::GetOperationRequest>(operation.name()), &found)
                  .ok());
  EXPECT_EQ(found.SerializeAsString(), operation.SerializeAsString());
}

TEST_F(VizierMethodsTest, SuggestRefusesInvalidRequests) {
  MakeStudy();
  vizier::SuggestTrialsResponse response;
  vizier::Operation operation;
  for (const char* client : {"", "a/b"}) {
    EXPECT_EQ(Suggest(client, 1, &response, &operation).code(),
              StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(Suggest("w", 0, &response, &operation).code(),
            StatusCode::kInvalidArgument);
  vizier::Study study;
  ASSERT_TRUE(SetState(vizier::Study::INACTIVE, &study).ok());
  EXPECT_EQ(study.state(), vizier::Study::INACTIVE);
  EXPECT_EQ(Suggest("w", 1, &response, &operation).code(),
            StatusCode::kFailedPrecondition);
}

TEST_F(VizierMethodsTest, TheDefaultAlgorithmAnswersWhenItsModelIsReady) {
  MakeStudy("DEFAULT");
  for (int i = 1; i <= 6; ++i) {
    ASSERT_EQ(Suggest("w").trials(0).id(), std::to_string(i));
    vizier::Trial done;
    ASSERT_TRUE(Complete(i, 0.1 * i, &done).ok());
  }
}

TEST_F(VizierMethodsTest, SeveralMetricsAreSearchedForTheirFront) {
  auto request = StudyRequestFor("a study", "DEFAULT");
  request.mutable_study()->mutable_study_spec()->add_metrics()->set_metric_id(
      "size");
  vizier::Study study;
  ASSERT_TRUE(Call(&Stub::CreateStudy, request, &study).ok());
  vizier::SuggestTrialsResponse response;
  vizier::Operation operation;
  ASSERT_TRUE(Suggest("w", 1, &response, &operation).ok());
  EXPECT_EQ(response.trials_size(), 1);
  EXPECT_FALSE(operation.has_metadata());
}

TEST_F(VizierMethodsTest, ATrialGoesThroughItsLife) {
  MakeStudy();
  Suggest("w");
  ASSERT_TRUE(Measure(1, 0.25, 1).ok());
  ASSERT_TRUE(Measure(1, 0.5, 2).ok());
  vizier::Trial trial = Get(1);
  ASSERT_EQ(trial.measurements_size(), 2);
  EXPECT_EQ(trial.measurements(1).step_count(), 2);
  ASSERT_TRUE(Call(&Stub::StopTrial,
                   Named<vizier::StopTrialRequest>(TrialName(1)), &trial)
                  .ok());
  EXPECT_EQ(trial.state(), vizier::Trial::STOPPING);
  ASSERT_TRUE(Call(&Stub::CompleteTrial,
                   Named<vizier::CompleteTrialRequest>(TrialName(1)), &trial)
                  .ok());
  EXPECT_EQ(trial.state(), vizier::Trial::SUCCEEDED);
  EXPECT_EQ(trial.final_measurement().metrics(0).value(), 0.5);
  EXPECT_TRUE(trial.has_end_time());
  EXPECT_EQ(Complete(1, 0.9, &trial).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Get(1).final_measurement().metrics(0).value(), 0.5);
  EXPECT_EQ(Measure(1, 0.5, 3).code(), StatusCode::kFailedPrecondition);
}

TEST_F(VizierMethodsTest, AnInfeasibleTrialSaysWhy) {
  MakeStudy();
  Suggest("w", 2);
  auto request = Named<vizier::CompleteTrialRequest>(TrialName(1));
  vizier::Trial trial;
  EXPECT_EQ(Call(&Stub::CompleteTrial, request, &trial).code(),
            StatusCode::kInvalidArgument)
      << "nothing was measured";
  request.set_trial_infeasible(true);
  request.set_infeasible_reason("too big");
  ASSERT_TRUE(Call(&Stub::CompleteTrial, request, &trial).ok());
  EXPECT_EQ(trial.state(), vizier::Trial::INFEASIBLE);
  EXPECT_EQ(trial.infeasible_reason(), "too big");
  EXPECT_TRUE(Measure(1, 0.5, 1).ok());
  EXPECT_EQ(Get(1).measurements_size(), 0);
}

TEST_F(VizierMethodsTest, ACreatedTrialIsRequestedUnlessItHasEnded) {
  MakeStudy();
  for (const auto state : {vizier::Trial::STATE_UNSPECIFIED,
                           vizier::Trial::ACTIVE, vizier::Trial::STOPPING}) {
    auto request = Point(0.5);
    request.mutable_trial()->set_state(state);
    request.mutable_trial()->set_id("17");
    request.mutable_trial()->set_client_id("other");
    vizier::Trial trial;
    ASSERT_TRUE(Call(&Stub::CreateTrial, request, &trial).ok());
    EXPECT_EQ(trial.state(), vizier::Trial::REQUESTED);
    EXPECT_EQ(trial.client_id(), "");
    EXPECT_NE(trial.id(), "17");
  }
  auto done = Point(0.25);
  done.mutable_trial()->set_state(vizier::Trial::SUCCEEDED);
  done.mutable_trial()
      ->mutable_final_measurement()
      ->add_metrics()
      ->set_metric_id("acc");
  vizier::Trial trial;
  ASSERT_TRUE(Call(&Stub::CreateTrial, done, &trial).ok());
  EXPECT_EQ(trial.state(), vizier::Trial::SUCCEEDED);
  EXPECT_EQ(trial.id(), "4");
  auto infeasible = Point(0.75);
  infeasible.mutable_trial()->set_state(vizier::Trial::INFEASIBLE);
  ASSERT_TRUE(Call(&Stub::CreateTrial, infeasible, &trial).ok());
  EXPECT_EQ(trial.state(), vizier::Trial::INFEASIBLE);
  EXPECT_EQ(CodeOf<vizier::Trial>(&Stub::CreateTrial, Point(7)),
            StatusCode::kInvalidArgument);
}

TEST_F(VizierMethodsTest, ListsAllTrialsOrPagesOfThem) {
  MakeStudy();
  Suggest("w", 5);
  ASSERT_TRUE(Call(&Stub::DeleteTrial,
                   Named<vizier::DeleteTrialRequest>(TrialName(2)),
                   std::make_unique<Empty>().get())
                  .ok());
  auto request = Below<vizier::ListTrialsRequest>(kStudy);
  vizier::ListTrialsResponse all;
  ASSERT_TRUE(Call(&Stub::ListTrials, request, &all).ok());
  EXPECT_EQ(all.trials_size(), 4);
  EXPECT_EQ(all.next_page_token(), "");
  request.set_page_size(3);
  vizier::ListTrialsResponse page;
  ASSERT_TRUE(Call(&Stub::ListTrials, request, &page).ok());
  EXPECT_EQ(page.trials_size(), 3);
  request.set_page_token(page.next_page_token());
  ASSERT_TRUE(Call(&Stub::ListTrials, request, &page).ok());
  ASSERT_EQ(page.trials_size(), 1);
  EXPECT_EQ(page.trials(0).id(), "5");
  request.set_page_token("x");
  EXPECT_EQ(Call(&Stub::ListTrials, request, &page).code(),
            StatusCode::kInvalidArgument);
}

TEST_F(VizierMethodsTest, ListsStudiesOfOneOwner) {
  MakeStudy();
  vizier::Study other;
  auto request = StudyRequestFor("b");
  request.set_parent("owners/you");
  ASSERT_TRUE(Call(&Stub::CreateStudy, request, &other).ok());
  vizier::ListStudiesResponse mine;
  ASSERT_TRUE(Call(&Stub::ListStudies,
                   Below<vizier::ListStudiesRequest>("owners/me"), &mine)
                  .ok());
  ASSERT_EQ(mine.studies_size(), 1);
  EXPECT_EQ(mine.studies(0).name(), kStudy);
}

TEST_F(VizierMethodsTest, DeletingAStudyTakesItsOperationsAlong) {
  MakeStudy();
  Suggest("w", 2);
  Empty empty;
  ASSERT_TRUE(Call(&Stub::DeleteStudy,
                   Named<vizier::DeleteStudyRequest>(kStudy), &empty)
                  .ok());
  MakeStudy();
  EXPECT_EQ(CodeOf<vizier::Operation>(
                &Stub::GetOperation,
                Named<vizier::GetOperationRequest>(
                    "owners/me/operations/suggestion/a study/w/1")),
            StatusCode::kNotFound);
  EXPECT_EQ(Suggest("w").trials(0).id(), "1");
}

TEST_F(VizierMethodsTest, AnInactiveStudyIsReadOnly) {
  MakeStudy();
  Suggest("w");
  vizier::Study study;
  ASSERT_TRUE(SetState(vizier::Study::COMPLETED, &study).ok());
  const StatusCode refused = StatusCode::kFailedPrecondition;
  EXPECT_EQ(CodeOf<vizier::Trial>(&Stub::CreateTrial, Point(0.5)), refused);
  EXPECT_EQ(Measure(1, 0.5, 1).code(), refused);
  vizier::Trial trial;
  EXPECT_EQ(Complete(1, 0.5, &trial).code(), refused);
  EXPECT_EQ(
      CodeOf<vizier::Trial>(&Stub::StopTrial,
                            Named<vizier::StopTrialRequest>(TrialName(1))),
      refused);
  EXPECT_EQ(CodeOf<Empty>(&Stub::DeleteTrial,
                          Named<vizier::DeleteTrialRequest>(TrialName(1))),
            refused);
  EXPECT_EQ(Get(1).state(), vizier::Trial::ACTIVE);
  ASSERT_TRUE(SetState(vizier::Study::ACTIVE, &study).ok());
  EXPECT_TRUE(Complete(1, 0.5, &trial).ok());
}

TEST_F(VizierMethodsTest, EarlyStoppingNeedsItsSpec) {
  auto request = StudyRequestFor();
  request.mutable_study()
      ->mutable_study_spec()
      ->mutable_default_stopping_spec();
  vizier::Study study;
  ASSERT_TRUE(Call(&Stub::CreateStudy, request, &study).ok());
  for (int i = 1; i <= 6; ++i) {
    Suggest("w");
    const double value = 0.8 + 0.01 * i;
    for (int step = 1; step <= 10; ++step) {
      ASSERT_TRUE(Measure(i, value, step).ok());
    }
    vizier::Trial trial;
    ASSERT_TRUE(Complete(i, value, &trial).ok());
  }
  Suggest("w");
  ASSERT_TRUE(Measure(7, 0.1, 5).ok());
  vizier::CheckTrialEarlyStoppingStateRequest check;
  check.set_trial_name(TrialName(7));
  vizier::CheckTrialEarlyStoppingStateResponse verdict;
  ASSERT_TRUE(Call(&Stub::CheckTrialEarlyStoppingState, check, &verdict).ok());
  EXPECT_TRUE(verdict.should_stop());
  check.set_trial_name(TrialName(1));
  EXPECT_EQ(Call(&Stub::CheckTrialEarlyStoppingState, check, &verdict).code(),
            StatusCode::kFailedPrecondition);
}

TEST_F(VizierMethodsTest, ListsTheBestTrials) {
  MakeStudy();
  vizier::ListOptimalTrialsResponse best;
  const auto request = Below<vizier::ListOptimalTrialsRequest>(kStudy);
  ASSERT_TRUE(Call(&Stub::ListOptimalTrials, request, &best).ok());
  EXPECT_EQ(best.optimal_trials_size(), 0);
  Suggest("w", 3);
  vizier::Trial trial;
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(Complete(i, i == 2 ? 1.0 : 0.5, &trial).ok());
  }
  ASSERT_TRUE(Call(&Stub::ListOptimalTrials, request, &best).ok());
  ASSERT_EQ(best.optimal_trials_size(), 1);
  EXPECT_EQ(best.optimal_trials(0).id(), "2");
}

TEST_F(VizierMethodsTest, MetadataIsKeptWithStudiesAndTrials) {
  MakeStudy();
  Suggest("w");
  auto request = Named<vizier::UpdateMetadataRequest>(kStudy);
  auto* of_study = request.add_delta()->mutable_metadatum();
  of_study->set_ns(":a");
  of_study->set_key("k");
  of_study->set_value("v");
  auto* update = request.add_delta();
  update->set_trial_id("1");
  update->mutable_metadatum()->set_key("p");
  update->mutable_metadatum()->mutable_proto()->set_type_url("t/x");
  update->mutable_metadatum()->mutable_proto()->set_value(
      std::string("\0\xff", 2));
  vizier::UpdateMetadataResponse response;
  ASSERT_TRUE(Call(&Stub::UpdateMetadata, request, &response).ok());
  EXPECT_EQ(response.error_details(), "");
  vizier::Study study;
  ASSERT_TRUE(
      Call(&Stub::GetStudy, Named<vizier::GetStudyRequest>(kStudy), &study)
          .ok());
  ASSERT_EQ(study.study_spec().metadata_size(), 1);
  EXPECT_EQ(study.study_spec().metadata(0).SerializeAsString(),
            request.delta(0).metadatum().SerializeAsString());
  ASSERT_EQ(Get(1).metadata_size(), 1);
  EXPECT_EQ(Get(1).metadata(0).SerializeAsString(),
            request.delta(1).metadatum().SerializeAsString());

  request.mutable_delta(0)->mutable_metadatum()->set_value("lost");
  request.mutable_delta(1)->set_trial_id("9");
  ASSERT_TRUE(Call(&Stub::UpdateMetadata, request, &response).ok());
  EXPECT_NE(response.error_details(), "");
  ASSERT_TRUE(
      Call(&Stub::GetStudy, Named<vizier::GetStudyRequest>(kStudy), &study)
          .ok());
  EXPECT_EQ(study.study_spec().metadata(0).value(), "v");

  request.mutable_delta(0)->mutable_metadatum()->clear_value();
  EXPECT_EQ(Call(&Stub::UpdateMetadata, request, &response).code(),
            StatusCode::kInvalidArgument);
}

TEST_F(VizierMethodsTest, MetadataMayBeLargerThanAClientReceives) {
  MakeStudy();
  auto request = Named<vizier::UpdateMetadataRequest>(kStudy);
  auto* item = request.add_delta()->mutable_metadatum();
  item->set_key("state");
  item->set_value(std::string(5 << 20, 'x'));
  vizier::UpdateMetadataResponse response;
  const absl::Status set = Call(&Stub::UpdateMetadata, request, &response);
  EXPECT_TRUE(set.ok()) << set;
}

TEST_F(VizierMethodsTest, ByTcpNobodyComesInWithoutTheFlag) {
  Listen("127.0.0.1:0");
  vizier::Study study;
  const absl::Status refused =
      Call(&Stub::CreateStudy, StudyRequestFor(), &study);
  EXPECT_EQ(refused.code(), StatusCode::kUnauthenticated);
  vizier::SuggestTrialsRequest suggest;
  EXPECT_EQ(CodeOf<vizier::Operation>(&Stub::SuggestTrials, suggest),
            StatusCode::kUnauthenticated);
  EXPECT_TRUE(store_.Snapshot()->empty());
  Listen("127.0.0.1:0", VizierOverTcp::kInsecure);
  EXPECT_TRUE(Call(&Stub::CreateStudy, StudyRequestFor(), &study).ok());
}

TEST_F(VizierMethodsTest, StudiesOfProjectsAreForTheUnixSocketOnly) {
  vizier::CreateStudyRequest create = StudyRequestFor();
  create.set_parent("projects/p/locations/local");
  vizier::Study study;
  ASSERT_TRUE(Call(&Stub::CreateStudy, create, &study).ok());
  EXPECT_EQ(study.name().rfind("projects/p/locations/local/studies/", 0), 0u)
      << study.name();
  vizier::GetStudyRequest get;
  get.set_name(study.name());
  vizier::ListStudiesRequest list;
  list.set_parent(create.parent());
  vizier::SuggestTrialsRequest suggest;
  suggest.set_parent(study.name());
  suggest.set_suggestion_count(1);
  suggest.set_client_id("w");
  EXPECT_EQ(CodeOf<vizier::Study>(&Stub::GetStudy, get), StatusCode::kOk);
  Listen("127.0.0.1:0", VizierOverTcp::kInsecure);
  EXPECT_EQ(CodeOf<vizier::Study>(&Stub::GetStudy, get),
            StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf<vizier::ListStudiesResponse>(&Stub::ListStudies, list),
            StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf<vizier::Operation>(&Stub::SuggestTrials, suggest),
            StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf<vizier::Study>(&Stub::CreateStudy, create),
            StatusCode::kPermissionDenied);
}

TEST_F(VizierMethodsTest, WhoWaitsForAModelIsToldWhenTheServiceStops) {
  MakeStudy();
  suggestions_.Stop();
  vizier::SuggestTrialsResponse response;
  vizier::Operation operation;
  EXPECT_EQ(Suggest("w", 1, &response, &operation).code(),
            StatusCode::kUnavailable);
}

}  // namespace
}  // namespace vernier
