#ifndef VERNIER_STORE_EVENTS_EVENT_PAYLOAD_H_
#define VERNIER_STORE_EVENTS_EVENT_PAYLOAD_H_

#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// Payloads of the event table, one JSON object each. They suffice to build the
/// tables again from the events. docs/store.md lists them.

std::string JobCreatedPayload(JobRef job);
std::string JobMovedPayload(JobState from, const JobRun& job);
std::string JobWantedPayload(const JobRun& job);
std::string JobLabelsPayload(const StudyRecord& job);
std::string JobExtendedPayload(const JobRun& job);
std::string JobRevisedPayload(JobRef job);
std::string JobDeletedPayload(const StudyRecord& job);

std::string PointQueuedPayload(const QueuedPoint& point);
std::string PointProposedPayload(const ProposedPoint& point);

std::string TrialCreatedPayload(const TrialRecord& trial);
std::string TrialMovedPayload(TrialState from, const TrialRecord& trial);

/// `client_id` is left out if it is empty.
std::string AttemptIntendedPayload(const AttemptRecord& attempt);
std::string AttemptMovedPayload(AttemptState from,
                                const AttemptRecord& attempt);
std::string AttemptKillWantedPayload(const AttemptRecord& attempt);

/// A JSON array of strings; "[]" for none.
std::string StringsToJson(const std::vector<std::string>& strings);
std::string SeenMetricsToJson(const std::vector<SeenMetric>& metrics);
/// A JSON object of strings.
std::string LabelsToJson(const std::map<std::string, std::string>& labels);
/// A JSON array of pairs [cause, count] of numbers.
std::string EndCountsToJson(const std::map<TrialEndCause, int>& ended);

}  // namespace vernier

#endif  // VERNIER_STORE_EVENTS_EVENT_PAYLOAD_H_
