#ifndef VERNIER_STUDY_JOB_FILE_JOB_SECTIONS_H_
#define VERNIER_STUDY_JOB_FILE_JOB_SECTIONS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "study/config/object_reader.h"
#include "study/job_spec.h"

namespace vernier {

/// Readers of a job file's sections. Each reads and validates its mapping and
/// reports mistakes through the reader; after a mistake the result must not be
/// used.

VernierSection ReadVernierSection(ObjectReader& section);

/// The section's "algorithm", which must be one of `names`; each is in
/// kAlgorithmNames. nullopt if it is left out or wrong.
std::optional<Algorithm> ReadAlgorithm(
    ObjectReader& section, const std::vector<std::string_view>& names);

/// `vernier` is the vernier section, whose algorithm decides whether the
/// parameters must suit a grid, and whose objectives go before.
///
/// `with_additions`: our algorithms may be named here, too, since there is no
/// vernier section.
HyperparameterSpec ReadHyperparameters(ObjectReader& section,
                                       const VernierSection& vernier,
                                       bool with_additions = false);

/// `must_be_complete`: a missing field is an error. Otherwise a command line
/// may still add it.
TrainingInput ReadTrainingInput(ObjectReader& section,
                                const VernierSection& vernier,
                                bool must_be_complete);

/// Whether points can be checked against the search space.
enum class SpaceKnowledge {
  kSound,   ///< Or unknown: empty, since a resumed job has it.
  kBroken,  ///< Its mistakes were reported; points would repeat them.
};

/// The constraints between parameters of the vernier section. If the space is
/// not known the result is empty, and the section's JSON keeps the texts.
std::vector<ParameterConstraint> ReadParameterConstraints(
    ObjectReader& section, const TrainingInput& input, SpaceKnowledge space,
    bool must_be_complete);

/// The points of the vernier section, complete and in the order of the space.
/// If the space is not known the result is empty, and the section's JSON keeps
/// the points as texts. Each meets `constraints`. `must_be_complete` as for
/// ReadTrainingInput.
std::vector<Parameters> ReadInitialPoints(
    ObjectReader& section, const TrainingInput& input,
    const std::vector<ParameterConstraint>& constraints, SpaceKnowledge space,
    bool must_be_complete);

/// The replicas of `input`: its scale tier, counts, machine types and replica
/// configurations. Writes their part of the section's JSON.
void ReadReplicas(ObjectReader& section, bool must_be_complete,
                  TrainingInput& input);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_SECTIONS_H_
