#include "trials/budgets/gpu_pool.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "study/devices/device_lease.h"
#include "trials/budgets/visible_devices.h"

namespace vernier {
namespace {

// A Slot is one GPU, which is leased as a whole or in shares of its memory.
// Every choice narrows the GPUs down in the same steps: those that a job may
// see (Visible), those of them that are free for its need now (Candidates), and
// then the ones to take. Take has a rule for shares (ChooseShared), one for
// machines whose GPUs are linked (ChooseLinked), and else takes them in their
// order.

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;

}  // namespace

GpuNeed GpuNeedOf(const JobSpec& spec) {
  if (!RunsOnThisMachine(spec)) return {};
  const TrainingInput& input = spec.training_input;
  GpuNeed need;
  for (const RoleSpec* role : {&input.master, &input.worker,
                               &input.parameter_server, &input.evaluator}) {
    const int each = GpusPerReplica(spec, *role);
    need.gpus += role->count * each;
    need.needs_undivided |= role->count > 0 && each > 1;
  }
  if (need.gpus == 0) return {};
  need.memory_mb = spec.vernier.gpu_memory_mb.value_or(0);
  need.visible = VisibleDevicesText(spec);
  return need;
}

int ServingLeases(const std::vector<DeviceId>& leases, const GpuNeed& need) {
  return static_cast<int>(
      std::count_if(leases.begin(), leases.end(), [&](const DeviceId& text) {
        const DeviceLease lease = ParseDeviceLease(text);
        return lease.memory_mb == 0 ||
               (need.memory_mb > 0 && lease.memory_mb >= need.memory_mb);
      }));
}

GpuPool::GpuPool(const std::vector<Device>& all, bool checks_released)
    : checks_released_(checks_released) {
  for (const Device& device : all) {
    Slot slot;
    slot.device = device;
    slots_.push_back(std::move(slot));
    ids_.push_back(device.id);
    has_topology_ |= !device.links.empty() || !device.parent.empty();
  }
}

const GpuPool::Slot* GpuPool::Find(const std::string& device) const {
  const auto found = std::find(ids_.begin(), ids_.end(), device);
  if (found == ids_.end()) return nullptr;
  return &slots_[static_cast<std::size_t>(found - ids_.begin())];
}

GpuPool::Slot* GpuPool::Find(const std::string& device) {
  return const_cast<Slot*>(std::as_const(*this).Find(device));
}

void GpuPool::Hold(const DeviceId& text) {
  const DeviceLease lease = ParseDeviceLease(text);
  Slot* const slot = Find(lease.device);
  if (slot == nullptr) return;
  if (lease.memory_mb == 0) {
    slot->is_held = true;
  } else {
    slot->shares[lease.number] = lease.memory_mb;
  }
}

bool GpuPool::GiveBack(const DeviceId& text) {
  const DeviceLease lease = ParseDeviceLease(text);
  Slot* const slot = Find(lease.device);
  if (slot == nullptr) return true;
  if (lease.memory_mb == 0) {
    slot->is_held = false;
  } else {
    slot->shares.erase(lease.number);
  }
  // A GPU that others still share cannot be examined.
  if (!checks_released_ || !slot->shares.empty()) return true;
  slot->is_reserved = true;
  return false;
}

void GpuPool::Exclude(const UnusableDevice& unusable) {
  Slot* const slot = Find(unusable.id);
  if (slot == nullptr) return;
  slot->trouble = unusable.reason;
  slot->is_sick = unusable.is_sick;
}

void GpuPool::Reserve(const GpuNeed& need) {
  const std::vector<std::size_t> visible = Visible(need);
  const auto well =
      std::count_if(visible.begin(), visible.end(),
                    [&](std::size_t i) { return !slots_[i].is_sick; });
  // A job that waits for sick GPUs would hold the others for nothing.
  if (well < need.gpus) return;
  for (const std::size_t i : Candidates(need)) slots_[i].is_reserved = true;
}

std::int64_t GpuPool::FreeMemory(const Slot& slot) const {
  std::int64_t free = slot.device.memory_bytes / kMegabyte;
  for (const auto& [number, memory] : slot.shares) free -= memory;
  return free;
}

bool GpuPool::Fits(const Slot& slot, const GpuNeed& need) const {
  if (slot.is_held || slot.is_reserved || !slot.trouble.empty()) return false;
  if (need.memory_mb == 0) return slot.shares.empty();
  return FreeMemory(slot) >= need.memory_mb;
}

std::vector<std::size_t> GpuPool::Visible(const GpuNeed& need) const {
  std::vector<std::size_t> visible;
  if (need.visible.has_value()) {
    for (const DeviceId& id : VisibleDevices(*need.visible, ids_)) {
      const auto found = std::find(ids_.begin(), ids_.end(), id);
      visible.push_back(static_cast<std::size_t>(found - ids_.begin()));
    }
  } else {
    for (std::size_t i = 0; i < slots_.size(); ++i) visible.push_back(i);
  }
  if (need.needs_undivided) {
    std::erase_if(visible, [&](std::size_t i) {
      return !slots_[i].device.parent.empty();
    });
  }
  return visible;
}

std::vector<std::size_t> GpuPool::Candidates(const GpuNeed& need) const {
  std::vector<std::size_t> candidates = Visible(need);
  std::erase_if(candidates,
                [&](std::size_t i) { return !Fits(slots_[i], need); });
  return candidates;
}

std::optional<std::vector<DeviceId>> GpuPool::Take(
    const GpuNeed& need, const std::set<std::string>& avoided) {
  if (need.gpus == 0) return std::vector<DeviceId>();
  std::vector<std::size_t> candidates = Candidates(need);
  const auto count = static_cast<std::size_t>(need.gpus);
  if (candidates.size() < count) return std::nullopt;
  std::vector<std::size_t> chosen;
  if (need.memory_mb > 0) {
    chosen = ChooseShared(std::move(candidates), count, avoided);
  } else if (has_topology_ && !need.visible.has_value()) {
    chosen = ChooseLinked(candidates, count, avoided);
  } else {
    std::stable_partition(
        candidates.begin(), candidates.end(),
        [&](std::size_t i) { return !avoided.contains(ids_[i]); });
    chosen.assign(candidates.begin(),
                  candidates.begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::vector<DeviceId> leases;
  for (const std::size_t i : chosen) {
    DeviceLease lease{ids_[i], need.memory_mb};
    if (need.memory_mb > 0) {
      lease.number = 1;
      while (slots_[i].shares.contains(lease.number)) ++lease.number;
    }
    leases.push_back(ToString(lease));
    Hold(leases.back());
  }
  return leases;
}

int GpuPool::Lack(const GpuNeed& need) const {
  const auto free = static_cast<int>(Candidates(need).size());
  return std::max(0, need.gpus - free);
}

int GpuPool::Most(const GpuNeed& need) const {
  const std::vector<std::size_t> visible = Visible(need);
  return static_cast<int>(
      std::count_if(visible.begin(), visible.end(), [&](std::size_t i) {
        return slots_[i].device.memory_bytes / kMegabyte >= need.memory_mb;
      }));
}

std::vector<std::string> GpuPool::Unleased() const {
  std::vector<std::string> unleased;
  for (const Slot& slot : slots_) {
    if (!slot.is_held && slot.shares.empty())
      unleased.push_back(slot.device.id);
  }
  return unleased;
}

std::string GpuPool::Troubles() const {
  std::string text;
  for (const Slot& slot : slots_) {
    if (slot.trouble.empty()) continue;
    absl::StrAppend(&text, text.empty() ? "" : "; ", slot.device.id, " ",
                    slot.trouble);
  }
  return text;
}

std::int64_t GpuPool::LargestMemory() const {
  std::int64_t largest = 0;
  for (const Slot& slot : slots_) {
    largest = std::max(largest, slot.device.memory_bytes / kMegabyte);
  }
  return largest;
}

// Returns whether two GPUs are linked, by NVLink or as MIG instances of one
// GPU.
bool GpuPool::AreNeighbours(std::size_t a, std::size_t b) const {
  const Device& one = slots_[a].device;
  const Device& other = slots_[b].device;
  if (a == b) return false;
  if (!one.parent.empty() && one.parent == other.parent) return true;
  return std::find(one.links.begin(), one.links.end(), other.id) !=
         one.links.end();
}

// Grows a group from each candidate, always by the GPU with the most links into
// the group, and takes the best: machines have few GPUs, and their links form
// groups, for which this finds the best choice.
std::vector<std::size_t> GpuPool::ChooseLinked(
    const std::vector<std::size_t>& candidates, std::size_t count,
    const std::set<std::string>& avoided) const {
  const std::size_t n = candidates.size();
  std::vector<std::vector<bool>> linked(n, std::vector<bool>(n));
  std::vector<int> degrees(n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      linked[a][b] = AreNeighbours(candidates[a], candidates[b]);
      degrees[a] += linked[a][b] ? 1 : 0;
    }
  }
  const auto is_avoided = [&](std::size_t a) {
    return avoided.contains(ids_[candidates[a]]);
  };
  // The merit of a group, of which the smallest is the best: avoided GPUs,
  // links inside (negative), links that it cuts.
  using Merit = std::tuple<int, int, int>;
  std::optional<Merit> best_merit;
  std::vector<std::size_t> best;
  for (std::size_t seed = 0; seed < n; ++seed) {
    std::vector<std::size_t> group;
    std::vector<int> into(n, 0);  // Links into the group.
    std::vector<bool> is_in(n, false);
    Merit merit{0, 0, 0};
    auto& [avoided_count, links, cuts] = merit;
    for (std::size_t next = seed; group.size() < count;) {
      is_in[next] = true;
      group.push_back(next);
      avoided_count += is_avoided(next) ? 1 : 0;
      links -= into[next];
      cuts += degrees[next] - 2 * into[next];
      std::optional<std::tuple<bool, int, int, std::size_t>> choice;
      for (std::size_t b = 0; b < n; ++b) {
        if (linked[next][b]) ++into[b];
      }
      for (std::size_t b = 0; b < n; ++b) {
        if (is_in[b]) continue;
        // Where no GPU is linked with the group, a new part of it begins: a set
        // of linked GPUs that fits whole, the largest first; else the one that
        // cuts the fewest links.
        const auto rest = static_cast<int>(count - group.size());
        const int cut = degrees[b] < rest ? -degrees[b] : degrees[b];
        const std::tuple<bool, int, int, std::size_t> key{is_avoided(b),
                                                          -into[b], cut, b};
        if (!choice.has_value() || key < *choice) choice = key;
      }
      if (!choice.has_value()) break;
      next = std::get<3>(*choice);
    }
    if (group.size() == count && (!best_merit || merit < *best_merit)) {
      best_merit = merit;
      best = group;
    }
  }
  std::sort(best.begin(), best.end());
  for (std::size_t& position : best) position = candidates[position];
  return best;
}

std::vector<std::size_t> GpuPool::ChooseShared(
    std::vector<std::size_t> candidates, std::size_t count,
    const std::set<std::string>& avoided) const {
  // GPUs that are shared already come first, the fullest before the others, so
  // that as many as possible stay whole.
  const auto key = [&](std::size_t i) {
    return std::tuple(avoided.contains(ids_[i]), slots_[i].shares.empty(),
                      FreeMemory(slots_[i]));
  };
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  candidates.resize(count);
  return candidates;
}

}  // namespace vernier
