#include "cluster/slurm/node/gang_progress.h"

#include <algorithm>
#include <utility>

#include "cluster/attempt/gang_verdict.h"

namespace vernier {
namespace {

ReplicaEnd EndOf(const ExitRecord& record) {
  return record.ends.empty() ? ReplicaEnd{} : record.ends.front();
}

}  // namespace

GangProgress::GangProgress(std::vector<ReplicaId> replicas)
    : replicas_(std::move(replicas)), records_(replicas_.size()) {}

void GangProgress::TakeEnd(std::size_t position, ExitRecord record) {
  records_[position] = std::move(record);
  if (is_decided()) return;
  const ExitRecord& taken = *records_[position];
  if (taken.stopped_by_request) {
    ended_from_outside_ = true;
    return;
  }
  if (taken.launch_failed) {
    failed_launch_ = position;
    return;
  }
  std::vector<std::optional<ReplicaEnd>> ends;
  for (const auto& each : records_) {
    ends.push_back(each.has_value() && !each->stopped_by_request
                       ? std::optional<ReplicaEnd>(EndOf(*each))
                       : std::nullopt);
  }
  deciding_ = DecidingReplica(ends);
}

ExitRecord GangProgress::Record(bool is_stopped) const {
  ExitRecord record;
  record.replicas = replicas_;
  for (const auto& each : records_) {
    record.ends.push_back(each.has_value() ? EndOf(*each) : ReplicaEnd{});
  }
  for (const auto& each : records_) {
    if (each.has_value()) record.lasted = std::max(record.lasted, each->lasted);
  }
  if (is_stopped) {
    record.stopped_by_request = true;
    // If the master's program was not started, no program was.
    const ReplicaEnd& master = record.ends.front();
    if (master.exit_code || master.signal) record.deciding = 0;
    record.message = DescribeEnd(record);
    return record;
  }
  if (records_.front().has_value()) {
    record.lost_output = records_.front()->lost_output;
  }
  const std::optional<std::size_t> teller =
      failed_launch_ ? failed_launch_ : deciding_;
  if (!teller) return record;
  const ExitRecord& telling = *records_[*teller];
  record.launch_failed = telling.launch_failed;
  record.out_of_memory = telling.out_of_memory;
  record.message = telling.message;
  record.log_tail = telling.log_tail;
  if (!record.launch_failed) record.deciding = teller;
  return record;
}

}  // namespace vernier
