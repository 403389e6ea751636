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
  // Versions are compared as numbers: by name, "version_10" is before
  // "version_9".
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
    // The version before may be an earlier attempt's, so even the first series
    // of a newer version is a restart.
    if (place.version > 0) Tell(name, series.begin);
  }
  if (place.folder != series.folder) series.is_shared = true;
  if (series.is_shared) return true;
  // The folder's START may have come before the first point of this metric,
  // which earlier attempts may have reported.
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
