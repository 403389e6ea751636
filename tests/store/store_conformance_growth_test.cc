// What every Store does with studies whose trials declare the search space.

#include "tests/store/store_conformance.h"

namespace vernier {
namespace {

using absl::StatusCode;

// Adds a study without parameters, and its trial 1, which a client runs.
StudyId AddGrowingStudy(Store& store) {
  NewStudy made = MakeClientStudy({.name = "owners/me/studies/growing"});
  StudySpec spec = *made.spec;
  spec.parameters.clear();
  made.spec = std::make_shared<const StudySpec>(std::move(spec));
  made.original.format = kGrowingSpecFormat;
  const auto study = store.CreateStudy(made, At(1));
  EXPECT_TRUE(study.ok()) << study.status();
  const absl::Status added =
      store.Commit({CreateTrials{*study, {NewTrial{{}, {"OPTUNA"}}}},
                    AssignTrial{*study, TrialId{1}, ""}},
                   At(2));
  EXPECT_TRUE(added.ok()) << added;
  return *study;
}

ParameterSpec Range(const std::string& name, double low, double high) {
  ParameterSpec spec;
  spec.name = name;
  spec.min_value = low;
  spec.max_value = high;
  return spec;
}

TEST_P(StoreConformanceTest, ASpecGrowsAndATrialGetsItsParameters) {
  const StudyId study = AddGrowingStudy(store());
  MustCommit({GrowStudySpec{study, Range("x", 0, 1)},
              SetTrialParameter{study, TrialId{1}, {"x", 0.5}}});
  MustCommit({GrowStudySpec{study, Range("x", -1, 0.5)},
              GrowStudySpec{study, Range("y", 0, 1)},
              GrowStudySpec{study, std::nullopt, OutcomeConstraint{"c", {}, 0}},
              SetTrialParameter{study, TrialId{1}, {"x", 7.0}},
              SetTrialParameter{study, TrialId{1}, {"y", 0.25}}});
  const StudySnapshot grown = Study(study);
  ASSERT_EQ(grown.spec->parameters.size(), 2u);
  EXPECT_EQ(grown.spec->parameters[0], Range("x", -1, 1));
  EXPECT_EQ(grown.spec->constraints.size(), 1u);
  EXPECT_EQ(Trial(study, 1).parameters, (Parameters{{"x", 7.0}, {"y", 0.25}}));
  // What is there already changes nothing.
  const std::string before = Everything();
  MustCommit({GrowStudySpec{study, Range("x", 0, 0.5)}});
  EXPECT_EQ(Everything(), before);
}

TEST_P(StoreConformanceTest, AParameterKeepsItsKind) {
  const StudyId study = AddGrowingStudy(store());
  MustCommit({GrowStudySpec{study, Range("x", 1, 2)}});
  ParameterSpec other = Range("x", 1, 2);
  other.scale = ScaleType::kLog;
  Refuses(StatusCode::kInvalidArgument, {GrowStudySpec{study, other}});
  Refuses(StatusCode::kInvalidArgument,
          {GrowStudySpec{study, Range("z", 2, 1)}});
}

TEST_P(StoreConformanceTest, OnlySuchAStudyGrowsAndOnlyItsOpenTrials) {
  const StudyId other = AddRunningStudy();
  Refuses(StatusCode::kFailedPrecondition,
          {GrowStudySpec{other, Range("x", 0, 1)}});
  Refuses(StatusCode::kFailedPrecondition,
          {SetTrialParameter{other, TrialId{1}, {"rate", 0.5}}});
  const StudyId study = AddGrowingStudy(store());
  MustCommit({MoveTrial{study, TrialId{1}, TrialEvent::kGiveUp,
                        TrialEndCause::kUserError, "", std::nullopt}});
  Refuses(StatusCode::kFailedPrecondition,
          {SetTrialParameter{study, TrialId{1}, {"x", 0.5}}});
  const MetadataUpdate declared{
      TrialId{1}, {std::string(kDeclaredNamespace) + "x", "k"}, {true, "v"}};
  Refuses(StatusCode::kFailedPrecondition, {UpdateMetadata{study, {declared}}});
  MustCommit({UpdateMetadata{study, {SetText(TrialId{1}, "note", "kept")}}});
}

TEST_P(StoreConformanceTest, TheNewestTrialNeedsNoNumber) {
  const StudyId study = AddGrowingStudy(store());
  TrialId made{};
  CreateTrials create{study, {NewTrial{{}, {"OPTUNA"}}}};
  create.made = &made;
  MustCommit({create, AssignTrial{study, kNewestTrial, "c"},
              UpdateMetadata{study, {SetText(kNewestTrial, "k", "v")}}});
  EXPECT_EQ(made, TrialId{2});
  EXPECT_EQ(Trial(study, 2).client_id, "c");
  EXPECT_EQ(Trial(study, 2).metadata.size(), 1u);
}

}  // namespace
}  // namespace vernier
