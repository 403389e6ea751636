#include "cluster/kubernetes/kubernetes_jobs.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/object_names.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using Stage = GangView::Stage;

constexpr milliseconds kIdleWait{60000};
constexpr int kOk = 200;
constexpr int kNotFound = 404;

}  // namespace

KubernetesJobs::KubernetesJobs(Dependencies dependencies, Options options)
    : options_(std::move(options)),
      api_(std::move(dependencies.api)),
      clock_(dependencies.clock),
      on_change_(std::move(dependencies.on_change)),
      log_(std::move(dependencies.log)),
      watches_(*api_, options_.settings, options_.instance,
               {[this](const ObjectScope& scope,
                       const std::vector<ObservedObject>& objects,
                       SteadyTime began) {
                  MutexLock lock(mu_);
                  tracker_.TakeListing(scope, objects, began);
                  has_changed_ = true;
                },
                [this](const ObjectScope& scope, const ObservedObject& object,
                       bool is_gone) {
                  MutexLock lock(mu_);
                  tracker_.TakeObject(scope, object, is_gone);
                  has_changed_ = true;
                },
                [this](const ObjectScope& scope) {
                  MutexLock lock(mu_);
                  return tracker_.NextListing(scope);
                }}),
      tails_(*api_, options_.settings, options_.log_cap_bytes),
      tracker_(options_.settings.settle_time) {}

KubernetesJobs::~KubernetesJobs() {
  std::thread thread;
  {
    MutexLock lock(mu_);
    is_stopping_ = true;
    thread = std::move(thread_);
  }
  api_->Stop();
  api_->Wake();
  // The lock is not held here, since the thread takes it in order to end.
  if (thread.joinable()) thread.join();
}

void KubernetesJobs::Start(GangOwner owner, PodGang objects) {
  {
    MutexLock lock(mu_);
    Gang& gang = gangs_[owner.name];
    gang.mark.name_space = objects.name_space;
    gang.owner = std::move(owner);
    gang.objects = std::move(objects);
  }
  Wake();
}

void KubernetesJobs::Adopt(GangOwner owner, const AttemptMark& mark,
                           std::optional<PodGang> objects) {
  {
    MutexLock lock(mu_);
    const auto [place, is_new] = gangs_.try_emplace(owner.name);
    if (!is_new) return;
    Gang& gang = place->second;
    gang.owner = std::move(owner);
    gang.mark = mark;
    gang.objects = std::move(objects);
    gang.stage = Stage::kCreating;
    gang.may_exist = true;
    gang.is_adopted = true;
  }
  Wake();
}

void KubernetesJobs::NoteRuns(const std::string& name) {
  Change(name, [](Gang& gang) {
    if (gang.mark.gang_ran) return;
    gang.mark.gang_ran = true;
    gang.runs_noted = false;
  });
  Wake();
}

void KubernetesJobs::End(const std::string& name, milliseconds grace,
                         bool must_delete, std::optional<KeptVerdict> verdict) {
  bool is_news = false;
  Change(name, [&](Gang& gang) {
    if (!gang.end.has_value()) {
      gang.end.emplace();
      gang.end->deadline = clock_.Steady() + grace;
      gang.end->is_noted = !verdict.has_value();
      gang.end->verdict = std::move(verdict);
      is_news = true;
    }
    if (must_delete && !gang.end->must_delete) {
      gang.end->must_delete = is_news = true;
    }
    if (is_news) gang.next_try = SteadyTime{};
    if (gang.stage == Stage::kWaiting) gang.stage = Stage::kRevoked;
  });
  if (is_news) Wake();
}

void KubernetesJobs::Drop(const std::string& name) {
  Change(name, [](Gang& gang) {
    gang.is_dropped = true;
    gang.next_try = SteadyTime{};
  });
  Wake();
}

void KubernetesJobs::DeleteStrangers() {
  {
    MutexLock lock(mu_);
    if (deletes_strangers_) return;
    deletes_strangers_ = true;
  }
  Wake();
}

GangView KubernetesJobs::Of(const std::string& name) const {
  MutexLock lock(mu_);
  const auto found = gangs_.find(name);
  return found == gangs_.end() ? GangView{} : ViewOf(found->second);
}

GangView KubernetesJobs::ViewOf(const Gang& gang) const {
  GangView view;
  view.stage = gang.stage;
  view.words = gang.words.empty() ? trouble_ : gang.words;
  view.warning = gang.warning;
  view.logs_are_read = gang.logs_are_read;
  view.log_trouble = gang.log_trouble;
  if (gang.stage != Stage::kInCluster) return view;
  // What was there before this process began is known only from a listing.
  if (!tracker_.WasListed({gang.mark.name_space, std::nullopt})) {
    view.stage = Stage::kCreating;
    return view;
  }
  const ObjectTracker::Primary* primary =
      tracker_.PrimaryOf(ScopeOf(gang), PrimaryOfGang(gang).name);
  if (primary != nullptr) view.primary = primary->object;
  view.pods = tracker_.PodsOf(gang.mark.name_space, gang.owner.nonce);
  const bool is_gone = gang.is_gone || (primary != nullptr && primary->is_gone);
  // With the object its pods go, too, but they may outlive it by a little.
  view.is_gone =
      is_gone && std::all_of(view.pods.begin(), view.pods.end(),
                             [](const auto& pod) { return pod.is_over(); });
  return view;
}

void KubernetesJobs::Wake() {
  {
    MutexLock lock(mu_);
    if (!thread_.joinable() && !is_stopping_) {
      thread_ = std::thread([this] { Run(); });
    }
  }
  api_->Wake();
}

void KubernetesJobs::Change(const std::string& name,
                            const std::function<void(Gang&)>& change) {
  MutexLock lock(mu_);
  const auto found = gangs_.find(name);
  if (found != gangs_.end()) change(found->second);
}

std::optional<KubernetesJobs::Gang> KubernetesJobs::Copy(
    const std::string& name) const {
  MutexLock lock(mu_);
  const auto found = gangs_.find(name);
  if (found == gangs_.end()) return std::nullopt;
  return found->second;
}

ObjectScope KubernetesJobs::ScopeOf(const Gang& gang) const {
  return {gang.mark.name_space, gang.mark.kind};
}

PrimaryObject KubernetesJobs::PrimaryOfGang(const Gang& gang) const {
  return PrimaryOf(gang.mark.kind, gang.mark.name_space, gang.owner.name);
}

std::set<ObjectScope> KubernetesJobs::Scopes() const {
  std::set<ObjectScope> scopes;
  const auto add = [&](const std::string& name_space,
                       std::optional<GangKind> kind) {
    scopes.insert({name_space, std::nullopt});
    if (kind.has_value()) scopes.insert({name_space, kind});
  };
  add(options_.name_space, kind_);
  MutexLock lock(mu_);
  for (const auto& [name, gang] : gangs_) {
    const bool is_made = gang.mark.state != AttemptMark::State::kNone;
    add(gang.mark.name_space, is_made ? gang.mark.kind : kind_);
  }
  return scopes;
}

void KubernetesJobs::Until(SteadyTime time) { next_ = std::min(next_, time); }

void KubernetesJobs::NoteTrouble(const std::string& words) {
  bool is_news = false;
  {
    MutexLock lock(mu_);
    is_news = trouble_ != words;
    trouble_ = words;
  }
  if (!is_news) return;
  has_changed_ = true;
  if (log_ && !words.empty()) log_(words);
}

void KubernetesJobs::Run() {
  while (!is_stopping_) {
    next_ = clock_.Steady() + kIdleWait;
    Turn();
    if (is_stopping_) return;
    if (std::exchange(has_changed_, false)) {
      on_change_();
      continue;  // What has changed may have made something due.
    }
    const auto left = std::chrono::ceil<milliseconds>(next_ - clock_.Steady());
    api_->Wait(std::clamp(left, milliseconds(1), kIdleWait));
  }
}

void KubernetesJobs::Turn() {
  const SteadyTime now = clock_.Steady();
  if (now < trouble_until_) return Until(trouble_until_);
  absl::Status status = FindKind();
  if (status.ok()) status = watches_.Turn(Scopes(), clock_, &next_);
  if (status.ok()) NoteTrouble("");
  if (!status.ok() && !is_stopping_) {
    NoteTrouble(absl::StrCat("Kubernetes' API server: ",
                             std::string(status.message())));
    trouble_until_ = clock_.Steady() + options_.settings.retry_period;
    Until(trouble_until_);
  }
  // A server that cannot list may still answer about one object; one that does
  // not answer at all is left alone for a while.
  std::vector<std::string> names;
  {
    MutexLock lock(mu_);
    for (const auto& [name, gang] : gangs_) names.push_back(name);
  }
  for (const std::string& name : names) {
    if (is_stopping_ || clock_.Steady() < trouble_until_) return;
    StepGang(name);
  }
  TurnLogs();
  TurnStrangers();
}

absl::StatusOr<ApiReply> KubernetesJobs::Call(const ApiRequest& request) {
  absl::StatusOr<ApiReply> reply = api_->Call(request);
  if (!reply.ok() && !is_stopping_) {
    NoteTrouble(absl::StrCat("Kubernetes' API server: ",
                             std::string(reply.status().message())));
    trouble_until_ = clock_.Steady() + options_.settings.retry_period;
    Until(trouble_until_);
  }
  return reply;
}

absl::Status KubernetesJobs::FindKind() {
  if (kind_.has_value()) return absl::OkStatus();
  if (options_.settings.objects != "auto") {
    kind_ = options_.settings.objects == "jobs" ? GangKind::kJobs
                                                : GangKind::kJobSet;
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(
      const ApiReply reply,
      api_->Call({"GET", "/apis/jobset.x-k8s.io/v1alpha2", ""}));
  if (reply.status == kOk) {
    kind_ = GangKind::kJobSet;
  } else if (reply.status == kNotFound) {
    kind_ = GangKind::kJobs;
  } else {
    return absl::UnavailableError(WordsOfReply(reply));
  }
  return absl::OkStatus();
}

void KubernetesJobs::TurnLogs() {
  struct Work {
    GangOwner owner;
    std::string name_space;
    std::vector<ObservedPod> pods;
    bool were_read = true;
    std::string trouble;
  };
  std::vector<Work> all;
  {
    MutexLock lock(mu_);
    for (const auto& [name, gang] : gangs_) {
      if (gang.stage != Stage::kInCluster || gang.is_dropped) continue;
      all.push_back({gang.owner, gang.mark.name_space,
                     tracker_.PodsOf(gang.mark.name_space, gang.owner.nonce),
                     gang.logs_are_read, gang.log_trouble});
    }
  }
  const SteadyTime now = clock_.Steady();
  for (const Work& work : all) {
    bool are_read = true;
    std::string trouble;
    std::set<std::string> jobs;  // Only the first pod of each counts.
    for (const ObservedPod& pod : work.pods) {
      const auto replica = ReplicaOfJob(work.owner.name, pod.job);
      if (!replica.has_value() || !jobs.insert(pod.job).second) continue;
      const bool is_read = tails_.Turn(
          work.name_space, pod, work.owner.attempt_dir, *replica, now, &next_);
      are_read = are_read && (is_read || !pod.is_over());
      if (trouble.empty()) trouble = tails_.TroubleOf(pod.uid);
    }
    if (are_read == work.were_read && trouble == work.trouble) continue;
    has_changed_ = true;
    if (log_ && !trouble.empty() && trouble != work.trouble) {
      log_(absl::StrCat("the log of ", work.owner.name,
                        " cannot be read: ", trouble));
    }
    Change(work.owner.name, [&](Gang& gang) {
      gang.logs_are_read = are_read;
      gang.log_trouble = trouble;
    });
  }
}

void KubernetesJobs::TurnStrangers() {
  std::vector<std::pair<ObjectScope, ObservedPrimary>> strangers;
  {
    MutexLock lock(mu_);
    if (!deletes_strangers_) return;
    std::set<std::string> nonces;
    for (const auto& [name, gang] : gangs_) nonces.insert(gang.owner.nonce);
    for (auto& each : tracker_.Primaries()) {
      if (nonces.count(each.second.nonce) == 0) strangers.push_back(each);
    }
  }
  const SteadyTime now = clock_.Steady();
  std::map<std::string, SteadyTime> since;
  for (const auto& [scope, object] : strangers) {
    const auto known = strangers_.find(object.uid);
    const SteadyTime first = known == strangers_.end() ? now : known->second;
    since[object.uid] = first;
    const SteadyTime due =
        first + (object.is_revoked ? options_.settings.tombstone_life
                                   : options_.settings.stranger_patience);
    if (now < due) {
      Until(due);
      continue;
    }
    since[object.uid] = now;  // If that fails, later again.
    const auto reply =
        Call({"DELETE",
              absl::StrCat(CollectionPath(*scope.kind, scope.name_space), "/",
                           object.name),
              DeleteOptionsJson("Foreground", -1)});
    if (!reply.ok()) return;
    if (log_)
      log_(absl::StrCat("deleted ", object.name, ", which is nobody's"));
  }
  strangers_ = std::move(since);
}

}  // namespace vernier
