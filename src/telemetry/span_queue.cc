#include "telemetry/span_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vernier {

std::size_t SpanQueue::Add(TraceSpan span) {
  MutexLock lock(mu_);
  if (spans_.size() >= capacity_) {
    ++counts_.dropped;
  } else {
    spans_.push_back(std::move(span));
  }
  return spans_.size();
}

std::vector<TraceSpan> SpanQueue::Take(std::size_t most) {
  MutexLock lock(mu_);
  const auto end = spans_.begin() +
                   static_cast<std::ptrdiff_t>(std::min(most, spans_.size()));
  std::vector<TraceSpan> taken(std::make_move_iterator(spans_.begin()),
                               std::make_move_iterator(end));
  spans_.erase(spans_.begin(), end);
  return taken;
}

std::size_t SpanQueue::size() const {
  MutexLock lock(mu_);
  return spans_.size();
}

SpanQueue::Counts SpanQueue::counts() const {
  MutexLock lock(mu_);
  return counts_;
}

void SpanQueue::CountExported(std::size_t spans) {
  MutexLock lock(mu_);
  counts_.exported += spans;
}

void SpanQueue::CountDropped(std::size_t spans) {
  MutexLock lock(mu_);
  counts_.dropped += spans;
}

}  // namespace vernier
