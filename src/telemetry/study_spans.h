#ifndef VERNIER_TELEMETRY_STUDY_SPANS_H_
#define VERNIER_TELEMETRY_STUDY_SPANS_H_

#include <string>
#include <vector>

#include "http/trace_context.h"
#include "store/store.h"
#include "study/ids.h"
#include "telemetry/span.h"

namespace vernier {

/// The places of a study, its trials and their attempts in a trace of the
/// study's own. They are functions of what is stored, so that all spans of one
/// job belong together, whichever service made them, and an attempt's program
/// knows its place before the attempt has ended.
TraceContext TraceOf(const StudyRecord& study);
TraceContext TraceOf(const StudyRecord& study, TrialId trial);
TraceContext TraceOf(const StudyRecord& study, const AttemptKey& attempt);

/// Returns the spans of what `event` has ended: a job, a trial, or an attempt
/// with its launch and its run below it. Empty for any other event. `study` is
/// the event's, at the event or later. Pure.
std::vector<TraceSpan> SpansOf(const Event& event, const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TELEMETRY_STUDY_SPANS_H_
