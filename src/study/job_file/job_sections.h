#ifndef VERNIER_STUDY_JOB_FILE_JOB_SECTIONS_H_
#define VERNIER_STUDY_JOB_FILE_JOB_SECTIONS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "study/config/object_reader.h"
#include "study/job_file/job_completeness.h"
#include "study/job_spec.h"

namespace vernier {

/// Readers of a job file's sections. Each reads and validates its mapping and
/// reports mistakes through the reader; after a mistake the result must not be
/// used.

VernierSection ReadVernierSection(ObjectReader& section);

/// Reads the section's "algorithm", which must be one of `names`; each is in
/// kAlgorithmNames. nullopt if it is absent or wrong.
std::optional<Algorithm> ReadAlgorithm(
    ObjectReader& section, const std::vector<std::string_view>& names);

struct HyperparameterRules {
  /// Fields that are missing or do not suit each other are no errors, since an
  /// edit need not repeat what a job has.
  bool is_edit = false;
  /// Our own algorithms may be named, too, since there is no vernier section.
  bool with_additions = false;
};

/// `vernier` is the vernier section: its algorithm decides if the parameters
/// must suit a grid, and its objectives take precedence over the goal and the
/// metric.
HyperparameterSpec ReadHyperparameters(ObjectReader& section,
                                       const VernierSection& vernier,
                                       const HyperparameterRules& rules);

TrainingInput ReadTrainingInput(ObjectReader& section,
                                const VernierSection& vernier,
                                JobCompleteness completeness);

/// Decides if points can be checked against the search space.
enum class SpaceKnowledge {
  kSound,   ///< Or unknown: empty, since a resumed job has it.
  kBroken,  ///< Its mistakes were reported; points would repeat them.
};

/// Reads the constraints between parameters of the vernier section. If the
/// space is not known, the result is empty, and the section's JSON keeps the
/// texts.
std::vector<ParameterConstraint> ReadParameterConstraints(
    ObjectReader& section, const TrainingInput& input, SpaceKnowledge space,
    bool must_be_complete);

/// Reads the points of the vernier section, complete and in the order of the
/// space. If the space is not known, the result is empty, and the section's
/// JSON keeps the points as texts. A point that violates one of `constraints`
/// is an error. With `must_be_complete` a missing field is an error.
std::vector<Parameters> ReadInitialPoints(
    ObjectReader& section, const TrainingInput& input,
    const std::vector<ParameterConstraint>& constraints, SpaceKnowledge space,
    bool must_be_complete);

/// Reads the beliefs of the vernier section, by ascending name. If the space is
/// not known, the result is empty, and the section's JSON keeps the texts.
/// `must_be_complete` as for ReadTrainingInput.
std::vector<Belief> ReadBeliefs(ObjectReader& section,
                                const TrainingInput& input,
                                SpaceKnowledge space, bool must_be_complete);

/// Reads the replicas into `input`: its scale tier, counts, machine types and
/// replica configurations. Writes their part of the section's JSON.
void ReadReplicas(ObjectReader& section, bool must_be_complete,
                  TrainingInput& input);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_SECTIONS_H_
