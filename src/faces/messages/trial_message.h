#ifndef VERNIER_FACES_MESSAGES_TRIAL_MESSAGE_H_
#define VERNIER_FACES_MESSAGES_TRIAL_MESSAGE_H_

#include <vernier/v1/trial.pb.h>

#include <string>
#include <vector>

#include "store/study_kinds.h"
#include "trials/results/point_means.h"

namespace vernier {

/// The API's form of a trial with all its attempts. Pure.
v1::Trial ToProto(const StudySnapshot& study, const TrialRecord& trial);

/// The API's form of a prediction. Pure.
v1::Prediction ToProto(const Prediction& prediction);

/// The API's form of the results at a point. Pure.
v1::PointMean ToProto(const PointMean& point);

/// The API's form of a measurement. Pure.
v1::Measurement ToProto(const Measurement& measurement);

/// The API's form of an event of job `job_id`. Pure.
v1::Event ToProto(const Event& event, const std::string& job_id);

/// The trial's folder: <jobDir>/<trial> of a tuning job, <jobDir> of another;
/// empty if the job has none.
std::string JobDirOf(const StudySnapshot& study, const TrialRecord& trial);

/// Returns the folder in which the trials of a job leave their files: its
/// jobDir, else the folder where their programs run in place, else its run_dir.
std::string OutputDirOf(const JobRun& run);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_TRIAL_MESSAGE_H_
