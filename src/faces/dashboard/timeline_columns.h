#ifndef VERNIER_FACES_DASHBOARD_TIMELINE_COLUMNS_H_
#define VERNIER_FACES_DASHBOARD_TIMELINE_COLUMNS_H_

#include "faces/dashboard/columns.h"
#include "store/store.h"

namespace vernier {

/// Writes a bar for each attempt of a study, newest 20,000 at most, with the
/// row in which it is drawn: one row for each GPU or, for attempts without one,
/// as many rows as ran at once. An attempt with several GPUs has several bars.
/// A client's trial counts as one attempt. Pure. O(n log n).
void WriteTimelineColumns(const StudySnapshot& study, ColumnWriter* columns);

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_TIMELINE_COLUMNS_H_
