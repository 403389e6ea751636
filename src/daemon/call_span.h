#ifndef VERNIER_DAEMON_CALL_SPAN_H_
#define VERNIER_DAEMON_CALL_SPAN_H_

#include <optional>

#include "edge/call_record.h"
#include "store/store.h"
#include "telemetry/span.h"

namespace vernier {

/// Returns the span of a call, in its caller's trace if it has one, with the
/// names of attributes from OpenTelemetry's conventions. A call that submits a
/// job links to the trace of that job. Null if the caller's trace is not
/// sampled. Its ids are random.
std::optional<TraceSpan> SpanOf(const CallRecord& call,
                                const StoreSnapshot& snapshot);

}  // namespace vernier

#endif  // VERNIER_DAEMON_CALL_SPAN_H_
