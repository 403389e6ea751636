#ifndef VERNIER_CLI_LIVE_TOP_FRAME_H_
#define VERNIER_CLI_LIVE_TOP_FRAME_H_

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/live/display_area.h"
#include "cli/live/top_data.h"

namespace vernier {

/// Returns the frame that `vernier top` draws, top to bottom, within the width
/// and height of `area`: the service, its jobs, trials and devices. Pure.
///
/// `chosen` is the job whose trials are shown, as an index of data.jobs, for a
/// screen with keys; without one, the trials of all jobs are shown.
std::vector<std::string> TopFrame(const TopData& data,
                                  std::optional<std::size_t> chosen,
                                  Timestamp now, const DisplayArea& area);

/// Returns how many of `room` rows each of some sections gets, which need
/// `needs`: all they need if there is room, else equal shares.
std::vector<std::size_t> ShareRows(const std::vector<std::size_t>& needs,
                                   std::size_t room);

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_TOP_FRAME_H_
