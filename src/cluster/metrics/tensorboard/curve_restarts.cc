#include "cluster/metrics/tensorboard/curve_restarts.h"

namespace vernier {

void CurveRestarts::TakeStart(const std::string& folder, std::int64_t from_step,
                              Timestamp at) {
  if (num_starts_ >= kMaxCurveRestarts) {
    is_full_ = true;
    return;
  }
  ++num_starts_;
  starts_[folder].push_back({from_step, at});
  for (auto& [name, series] : series_) {
    if (series.folder == folder) TellStarts(name, series);
  }
}

bool CurveRestarts::TakePoint(const EventPlace& place,
                              const Measurement& point) {
  const SeriesName name(point.metric, point.road);
  const auto [found, is_new] = series_.try_emplace(name);
  Series& series = found->second;
  // The names of folders are no order: "version_10" comes before "version_9".
  if (!is_new && place.version < series.version) {
    return point.step < series.begin.from_step ||
           point.reported_at >= series.begin.at;
  }
  if (is_new || place.version > series.version) {
    series = {};
    series.folder = place.folder;
    series.version = place.version;
    series.begin = {point.step, point.reported_at};
    series.last_step = point.step;
    // An earlier attempt may have had the version before.
    if (place.version > 0) Tell(name, series.begin);
  }
  if (place.folder != series.folder) series.is_shared = true;
  if (series.is_shared) return true;
  // A START may have come before the first point of its folder: earlier
  // attempts may have reported this metric.
  TellStarts(name, series);
  if (place.has_old_format && point.step < series.last_step) {
    Tell(name, {point.step, point.reported_at});
  }
  series.last_step = point.step;
  return true;
}

void CurveRestarts::TellStarts(const SeriesName& name, Series& series) {
  if (series.is_shared) return;
  const auto starts = starts_.find(series.folder);
  if (starts == starts_.end()) return;
  for (; series.num_told < starts->second.size(); ++series.num_told) {
    Tell(name, starts->second[series.num_told]);
  }
}

void CurveRestarts::Tell(const SeriesName& name, const Start& start) {
  if (num_told_ >= kMaxCurveRestarts) {
    is_full_ = true;
    return;
  }
  ++num_told_;
  fresh_.push_back({name.first, name.second, start.from_step, start.at});
}

}  // namespace vernier
