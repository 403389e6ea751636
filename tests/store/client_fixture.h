#ifndef VERNIER_TESTS_STORE_CLIENT_FIXTURE_H_
#define VERNIER_TESTS_STORE_CLIENT_FIXTURE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"
#include "tests/store/job_fixture.h"

namespace vernier {

/// The options of a study that clients run, for a test.
struct ClientStudyOptions {
  std::string name = "owners/me/studies/a study";
  int metrics = 1;  ///< "loss", then "m2", "m3", ...
  StoppingRule stopping_rule = StoppingRule::kNone;
  Metadata metadata = {};
};

/// Returns a study of one parameter, "rate" in [0, 1].
inline NewStudy MakeClientStudy(const ClientStudyOptions& options = {}) {
  StudySpec spec;
  spec.metrics = {{"loss", Goal::kMinimize}};
  for (int i = 2; i <= options.metrics; ++i) {
    spec.metrics.push_back({"m" + std::to_string(i), Goal::kMaximize});
  }
  ParameterSpec rate;
  rate.name = "rate";
  rate.max_value = 1;
  spec.parameters = {rate};
  spec.algorithm = Algorithm::kRandomSearch;
  spec.stopping_rule = options.stopping_rule;
  NewStudy study;
  study.name = options.name;
  study.spec = std::make_shared<const StudySpec>(std::move(spec));
  study.original = {"test", std::string("\x00\xff bytes", 8)};
  study.metadata = options.metadata;
  study.seed = 0xfedcba9876543210;
  return study;
}

/// Returns a point that a client gave or was given.
inline NewTrial MakeClientTrial(double rate) {
  return {{{"rate", rate}}, {"RANDOM_SEARCH", EventSequence{1}}};
}

/// Returns the key under which a client reports measurements of its trial.
inline AttemptKey Reporter(StudyId study, int trial) {
  return {study, TrialId{trial}, 0};
}

/// Returns the changes that give a requested trial to a client.
inline std::vector<Change> Assign(StudyId study, int trial,
                                  const std::string& client_id) {
  return {AssignTrial{study, TrialId{trial}, client_id}};
}

/// Returns the changes that end an active trial well.
inline std::vector<Change> CompleteForClient(StudyId study, int trial,
                                             double loss) {
  MoveTrial move = Complete(study, TrialId{trial}, loss);
  move.final_report = MetricReport{
      10, std::chrono::seconds(3), {{"loss", loss}, {"extra", loss * 2}}};
  return {move};
}

inline MetadataUpdate SetText(std::optional<TrialId> trial,
                              const std::string& key, const std::string& text) {
  return {trial, {":ns", key}, {true, text}};
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_CLIENT_FIXTURE_H_
