#ifndef VERNIER_SERVER_TRIAL_MESSAGE_H_
#define VERNIER_SERVER_TRIAL_MESSAGE_H_

#include <vernier/v1/trial.pb.h>

#include <string>

#include "store/store.h"

namespace vernier {

/// The API's form of a trial with all its attempts. Pure.
v1::Trial ToProto(const StudySnapshot& study, const TrialRecord& trial);

/// The API's form of a measurement. Pure.
v1::Measurement ToProto(const Measurement& measurement);

/// The API's form of an event of job `job_id`. Pure.
v1::Event ToProto(const Event& event, const std::string& job_id);

/// A trial's parameter value as its program gets it. `name` need not be in the
/// search space any more: then the value prints in its own way.
std::string PrintParameter(const JobRecord& job, const NamedValue& parameter);

/// <jobDir>/<trial> of a tuning job, <jobDir> of another; empty without one.
std::string JobDirOf(const JobRecord& job, TrialId trial);

}  // namespace vernier

#endif  // VERNIER_SERVER_TRIAL_MESSAGE_H_
