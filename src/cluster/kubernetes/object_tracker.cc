#include "cluster/kubernetes/object_tracker.h"

#include <algorithm>
#include <set>

namespace vernier {
namespace {

// The uid is part of the key: a new pod with an old name is a different pod.
std::string KeyOf(const ObservedPod& pod) { return pod.name + " " + pod.uid; }

// Updates the entries of `known` by a listing that has the keys in `present`.
// Calls `note` for each entry that two listings, at least `settle_time` apart,
// do not have. Returns whether any of these calls returned true.
template <typename Map, typename Note>
bool NoteMissing(Map& known, const std::set<std::string>& present,
                 SteadyTime began, std::chrono::milliseconds settle_time,
                 const Note& note) {
  bool has_changed = false;
  for (auto& [key, each] : known) {
    if (present.count(key) > 0) {
      each.missing_since.reset();
    } else if (!each.missing_since.has_value()) {
      each.missing_since = began;
    } else if (began - *each.missing_since >= settle_time) {
      has_changed = note(each) || has_changed;
    }
  }
  return has_changed;
}

}  // namespace

bool ObjectTracker::TakeListing(const ObjectScope& scope,
                                const std::vector<ObservedObject>& objects,
                                SteadyTime began) {
  Objects& known = scopes_[scope];
  std::set<std::string> present;
  for (const ObservedObject& object : objects) {
    if (object.pod.has_value()) present.insert(KeyOf(*object.pod));
    if (object.primary.has_value()) present.insert(object.primary->name);
    TakeObject(scope, object, /*is_gone=*/false);
  }
  known.was_listed = true;
  const auto lose = [](bool* is_gone) {
    return std::exchange(*is_gone, true) == false;
  };
  const bool lost_primary =
      NoteMissing(known.primaries, present, began, settle_time_,
                  [&](Primary& each) { return lose(&each.is_gone); });
  const bool lost_pod =
      NoteMissing(known.pods, present, began, settle_time_,
                  [&](Pod& each) { return lose(&each.object.is_gone); });
  return lost_primary || lost_pod || !objects.empty();
}

void ObjectTracker::TakeObject(const ObjectScope& scope,
                               const ObservedObject& object, bool is_gone) {
  Objects& known = scopes_[scope];
  if (object.pod.has_value()) {
    const std::string key = KeyOf(*object.pod);
    if (is_gone && known.pods.count(key) == 0) return;
    Pod& pod = known.pods[key];
    const ObservedPod before = std::move(pod.object);
    pod.object = *object.pod;
    pod.object.is_gone = is_gone;
    pod.missing_since.reset();
    // A known end does not change any more.
    if (before.end.has_value() && !pod.object.end.has_value()) {
      pod.object.end = before.end;
    }
    if (before.has_started && !pod.object.end.has_value()) {
      pod.object.has_started = true;
    }
  }
  if (object.primary.has_value()) {
    if (is_gone && known.primaries.count(object.primary->name) == 0) return;
    Primary& primary = known.primaries[object.primary->name];
    primary.object = *object.primary;
    primary.is_gone = is_gone;
    primary.missing_since.reset();
  }
}

bool ObjectTracker::WasListed(const ObjectScope& scope) const {
  const auto found = scopes_.find(scope);
  return found != scopes_.end() && found->second.was_listed;
}

std::optional<SteadyTime> ObjectTracker::NextListing(
    const ObjectScope& scope) const {
  const auto found = scopes_.find(scope);
  if (found == scopes_.end()) return std::nullopt;
  std::optional<SteadyTime> next;
  const auto consider = [&](const std::optional<SteadyTime>& missing,
                            bool is_gone) {
    if (!missing.has_value() || is_gone) return;
    const SteadyTime due = *missing + settle_time_;
    next = std::min(next.value_or(due), due);
  };
  for (const auto& [name, each] : found->second.primaries) {
    consider(each.missing_since, each.is_gone);
  }
  for (const auto& [name, each] : found->second.pods) {
    consider(each.missing_since, each.object.is_gone);
  }
  return next;
}

const ObjectTracker::Primary* ObjectTracker::PrimaryOf(
    const ObjectScope& scope, const std::string& name) const {
  const auto found = scopes_.find(scope);
  if (found == scopes_.end()) return nullptr;
  const auto primary = found->second.primaries.find(name);
  return primary == found->second.primaries.end() ? nullptr : &primary->second;
}

std::vector<ObservedPod> ObjectTracker::PodsOf(const std::string& name_space,
                                               const std::string& nonce) const {
  std::vector<ObservedPod> pods;
  const auto found = scopes_.find({name_space, std::nullopt});
  if (found == scopes_.end()) return pods;
  for (const auto& [key, pod] : found->second.pods) {
    if (pod.object.nonce == nonce) pods.push_back(pod.object);
  }
  return pods;
}

std::vector<std::pair<ObjectScope, ObservedPrimary>> ObjectTracker::Primaries()
    const {
  std::vector<std::pair<ObjectScope, ObservedPrimary>> all;
  for (const auto& [scope, objects] : scopes_) {
    for (const auto& [name, primary] : objects.primaries) {
      if (!primary.is_gone) all.emplace_back(scope, primary.object);
    }
  }
  return all;
}

void ObjectTracker::Forget(const std::string& nonce) {
  for (auto& [scope, objects] : scopes_) {
    std::erase_if(objects.primaries, [&](const auto& each) {
      return each.second.object.nonce == nonce && each.second.is_gone;
    });
    std::erase_if(objects.pods, [&](const auto& each) {
      return each.second.object.nonce == nonce;
    });
  }
}

}  // namespace vernier
