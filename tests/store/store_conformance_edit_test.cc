// What every Store does with edits of the search of a study that clients run.

#include "store/present_space.h"
#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

// Its only parameter, whose range is [0, 1], gets another range.
ReviseStudy Rerange(StudyId study, int version, double max_value) {
  StudySpec spec = *MakeClientStudy().spec;
  spec.parameters[0].max_value = max_value;
  return {study, version, std::make_shared<const StudySpec>(std::move(spec)),
          "range", "{}"};
}

NewTrial SuggestedToClient(double rate) {
  return {{{"rate", rate}}, {"RANDOM_SEARCH", EventSequence{1}}};
}

TEST_P(StoreConformanceTest, AnEditKeepsTheSpecThatItReplaces) {
  const StudyId study = AddRunningStudy();
  ASSERT_TRUE(store().Commit({Rerange(study, 1, 0.5)}, At(7)).ok());
  const StudySnapshot edited = Study(study);
  EXPECT_EQ(edited.spec->parameters[0].max_value, 0.5);
  const ClientRun& run = ClientRunOf(edited);
  EXPECT_EQ(SpecVersionOf(run), 2);
  ASSERT_EQ(run.edits.size(), 1u);
  EXPECT_EQ(run.edits[0]->version, 2);
  EXPECT_EQ(run.edits[0]->replaced->parameters[0].max_value, 1);
  EXPECT_EQ(run.edits[0]->changes, "range");
  EXPECT_EQ(run.edits[0]->client_data, "{}");
  EXPECT_EQ(run.edits[0]->at, At(7));
  EXPECT_EQ(Trial(study, 1).state, TrialState::kActive) << "it runs on";
  const std::string events = EventKinds();
  EXPECT_TRUE(events.ends_with("study.revised ")) << events;
  // Several edits of one commit are several versions.
  MustCommit({Rerange(study, 2, 0.25), Rerange(study, 3, 1)});
  EXPECT_EQ(SpecVersionOf(ClientRunOf(Study(study))), 4);
  EXPECT_EQ(*Study(study).spec, *MakeClientStudy().spec) << "undone";
  EXPECT_TRUE(PresentSpace(Study(study)).edits().has_value())
      << "but not forgotten";
  MustCommit({DeleteStudy{study}});
}

TEST_P(StoreConformanceTest, AStudyIsEditedInAnyState) {
  const StudyId study = AddRunningStudy();
  MustCommit({MoveStudy{study, StudyState::kCompleted, ""}});
  MustCommit({Rerange(study, 1, 0.5)});
  EXPECT_EQ(ClientRunOf(Study(study)).state, StudyState::kCompleted);
}

TEST_P(StoreConformanceTest, AnEditOfAStudyKeepsWhatItSearchesFor) {
  const StudyId study = AddRunningStudy();
  MustCommit(CompleteForClient(study, 1, 0.5));
  const auto with = [&](auto change_spec) {
    ReviseStudy change = Rerange(study, 1, 0.5);
    StudySpec spec = *change.spec;
    change_spec(&spec);
    change.spec = std::make_shared<const StudySpec>(std::move(spec));
    return change;
  };
  Refuses(
      StatusCode::kInvalidArgument,
      {with([](StudySpec* spec) { spec->metrics[0].goal = Goal::kMaximize; })});
  Refuses(StatusCode::kInvalidArgument,
          {with([](StudySpec* spec) { spec->metrics[0].name = "accuracy"; })});
  Refuses(StatusCode::kInvalidArgument,
          {with([](StudySpec* spec) { spec->parameters.clear(); })});
  Refuses(StatusCode::kFailedPrecondition, {with([](StudySpec* spec) {
            spec->parameters[0].type = ParameterType::kInteger;
          })});
  ReviseStudy without = Rerange(study, 1, 0.5);
  without.spec = nullptr;
  Refuses(StatusCode::kInvalidArgument, {without});
  Refuses(StatusCode::kFailedPrecondition, {Rerange(AddJob(), 1, 0.5)});
}

TEST_P(StoreConformanceTest, OneOfTwoEditsOfAVersionIsRefused) {
  const StudyId study = AddRunningStudy();
  MustCommit({Rerange(study, 1, 0.5)});
  Refuses(StatusCode::kAborted, {Rerange(study, 1, 0.25)});
}

TEST_P(StoreConformanceTest, ARepeatedEditChangesNothing) {
  const StudyId study = AddRunningStudy();
  ReviseStudy change = Rerange(study, 1, 0.5);
  change.request_id = "r";
  change.request_digest = 5;
  MustCommit({change});
  const std::string before = Everything();
  MustCommit({change});
  EXPECT_EQ(Everything(), before);
  change.request_digest = 6;
  Refuses(StatusCode::kInvalidArgument, {change});
}

TEST_P(StoreConformanceTest, AClientsPointFromBeforeAnEditIsRefused) {
  const StudyId study = AddRunningStudy();
  MustCommit({Rerange(study, 1, 0.5)});
  Refuses(StatusCode::kAborted,
          {CreateTrials{study, {SuggestedToClient(0.9)}}});
  MustCommit({CreateTrials{study, {SuggestedToClient(0.4)}},
              CreateTrials{study, {MakeTrialByHand(0.9)}}});
  MustCommit({Rerange(study, 2, 1)});
  MustCommit({CreateTrials{study, {SuggestedToClient(0.9)}}});
}

}  // namespace
}  // namespace vernier
