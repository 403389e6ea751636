#include "cluster/kubernetes/kubernetes_jobs.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/object_names.h"

namespace vernier {
namespace {

// One thread takes turns: it reads the watches and updates the tracker, then
// advances each gang by one step (StepGang), copies logs, and deletes foreign
// objects. A gang's primary object has a name that is used once only. Creating
// it decides a race: whoever creates the name first, as a gang or as a
// tombstone (RevokeByName), decides for good whether the attempt may run. The
// attempt's mark on disk is written before each such call, so a restarted
// service continues where this one stopped.

using std::chrono::milliseconds;
using Stage = GangView::Stage;

constexpr milliseconds kIdleWait{60000};
constexpr milliseconds kEndAgain{3000};
constexpr milliseconds kQuotaAgain{10000};
constexpr milliseconds kWarningPeriod{5000};
constexpr int kOk = 200;
constexpr int kAccepted = 202;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kConflict = 409;

bool IsSuccess(const ApiReply& reply) {
  return reply.status >= kOk && reply.status <= kAccepted;
}

// Returns whether the server has refused a request for good, so that the same
// request would be refused again. That is not so for an overloaded server, one
// that is starting, or expired credentials.
bool IsRefusal(const ApiReply& reply) {
  switch (reply.status) {
    case 400:
    case kForbidden:
    case kNotFound:
    case 405:
    case 413:
    case 415:
    case 422:
      return true;
    default:
      return false;
  }
}

bool IsQuota(const ApiReply& reply) {
  // Unlike other refusals this one may pass, once others have freed room.
  return reply.status == kForbidden &&
         absl::StrContains(reply.body, "exceeded quota");
}

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
  // The lock is not held here, since the thread needs it to end.
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
  // Only a listing shows what existed before this process began.
  if (!tracker_.WasListed({gang.mark.name_space, std::nullopt})) {
    view.stage = Stage::kCreating;
    return view;
  }
  const ObjectTracker::Primary* primary =
      tracker_.PrimaryOf(ScopeOf(gang), PrimaryOfGang(gang).name);
  if (primary != nullptr) view.primary = primary->object;
  view.pods = tracker_.PodsOf(gang.mark.name_space, gang.owner.nonce);
  const bool is_gone = gang.is_gone || (primary != nullptr && primary->is_gone);
  // The pods are deleted with the object, but may outlive it for a moment.
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
  // A server that cannot list may still answer about one object. One that does
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

// The functions below call the server, by turns for each gang.

bool KubernetesJobs::Mark(const std::string& name, const AttemptMark& mark) {
  const auto gang = Copy(name);
  if (!gang.has_value()) return false;
  const absl::Status written = WriteAttemptMark(gang->owner.attempt_dir, mark);
  Change(name, [&](Gang& each) {
    if (!written.ok()) {
      each.words = std::string(written.message());
      each.next_try = clock_.Steady() + options_.settings.retry_period;
      return;
    }
    const bool has_run = each.mark.gang_ran;
    each.mark = mark;
    each.mark.gang_ran = has_run;
    each.runs_noted = has_run == mark.gang_ran;
  });
  return written.ok();
}

void KubernetesJobs::StepGang(const std::string& name) {
  const SteadyTime now = clock_.Steady();
  // This works on a copy, since no lock is held while the server is called.
  const auto gang = Copy(name);
  if (!gang.has_value()) return;
  if (gang->next_try > now) return Until(gang->next_try);
  switch (gang->stage) {
    case Stage::kWaiting:
    case Stage::kCreating:
      if (gang->is_dropped && !gang->may_exist) {
        MutexLock lock(mu_);
        gangs_.erase(name);
        return;
      }
      return gang->may_exist ? LookFor(*gang) : Create(*gang);
    case Stage::kRefused:
    case Stage::kRevoked:
      if (gang->mark.state != AttemptMark::State::kRevoked &&
          gang->stage == Stage::kRevoked) {
        AttemptMark mark = gang->mark;
        mark.state = AttemptMark::State::kRevoked;
        if (!Mark(name, mark)) return;
      }
      if (gang->is_dropped) {
        MutexLock lock(mu_);
        tracker_.Forget(gang->owner.nonce);
        gangs_.erase(name);
      }
      return;
    case Stage::kInCluster:
      break;
  }
  if (!gang->runs_noted) Mark(name, gang->mark);
  if (gang->end.has_value() || gang->is_dropped) return EndRunning(*gang);
  if (gang->objects.has_value() && !gang->is_gone) {
    return MakeDependents(*gang);
  }
  if (!gang->mark.gang_ran) AskForWarning(*gang);
}

void KubernetesJobs::Create(Gang gang) {
  const std::string name = gang.owner.name;
  if (!kind_.has_value()) {
    Change(name, [&](Gang& each) {
      each.next_try = clock_.Steady() + options_.settings.retry_period;
    });
    return Until(clock_.Steady() + options_.settings.retry_period);
  }
  if (gang.end.has_value()) {
    has_changed_ = true;
    return Change(name, [](Gang& each) { each.stage = Stage::kRevoked; });
  }
  // The mark is written first, because a creation that was started may succeed
  // even if this process dies.
  gang.mark.state = AttemptMark::State::kBegun;
  gang.mark.kind = *kind_;
  const auto spec = PrimarySpec(*kind_, *gang.objects);
  if (!spec.ok()) {
    has_changed_ = true;
    return Change(name, [&](Gang& each) {
      each.stage = Stage::kRefused;
      each.words = std::string(spec.status().message());
    });
  }
  if (!Mark(name, gang.mark)) return;
  Change(name, [](Gang& each) {
    each.stage = Stage::kCreating;
    each.may_exist = true;
  });
  const auto reply = Call({"POST", spec->path, spec->json});
  // Without an answer, LookFor finds out whether the object exists.
  if (reply.ok()) TakeCreation(gang, *reply);
}

void KubernetesJobs::TakeCreation(const Gang& gang, const ApiReply& reply) {
  has_changed_ = true;
  const SteadyTime now = clock_.Steady();
  // A server that fails may have made the object before.
  const bool is_settled = reply.status < 500;
  if (IsSuccess(reply)) return TakeLook(gang, reply);
  if (reply.status == kConflict) return;  // LookFor sees what has the name.
  if (log_)
    log_(absl::StrCat("creating ", gang.owner.name, ": ", WordsOfReply(reply)));
  Change(gang.owner.name, [&](Gang& each) {
    each.words = WordsOfReply(reply);
    each.next_try =
        now + (IsQuota(reply) ? kQuotaAgain : options_.settings.retry_period);
    each.may_exist = !is_settled;
    if (IsRefusal(reply) && !IsQuota(reply)) each.stage = Stage::kRefused;
  });
}

// Finds out whether the primary object exists.
void KubernetesJobs::LookFor(Gang gang) {
  const PrimaryObject primary = PrimaryOfGang(gang);
  const auto reply =
      Call({"GET",
            absl::StrCat(CollectionPath(primary.kind, primary.name_space), "/",
                         primary.name),
            ""});
  if (!reply.ok()) return;
  if (reply->status != kNotFound || gang.was_seen) {
    return TakeLook(gang, *reply);
  }
  const bool existed =
      gang.mark.state == AttemptMark::State::kMade || gang.mark.gang_ran;
  if (existed) {
    const SteadyTime now = clock_.Steady();
    const bool is_sure =
        gang.missing_since.has_value() &&
        now - *gang.missing_since >= options_.settings.settle_time;
    has_changed_ = is_sure;
    return Change(gang.owner.name, [&](Gang& each) {
      if (!each.missing_since.has_value()) each.missing_since = now;
      each.next_try = *each.missing_since + options_.settings.settle_time;
      if (!is_sure) return Until(each.next_try);
      each.stage = Stage::kInCluster;
      each.is_gone = true;
      each.objects.reset();
      each.next_try = SteadyTime{};
    });
  }
  // Its creation may still be under way, so the object is created again: the
  // first to take the name keeps it forever.
  if (gang.objects.has_value() && !gang.is_adopted && !gang.end.has_value()) {
    return Create(gang);
  }
  RevokeByName(gang);
}

void KubernetesJobs::TakeLook(const Gang& gang, const ApiReply& reply) {
  const std::string& name = gang.owner.name;
  has_changed_ = true;
  const auto primary = ReadPrimary(reply.body);
  if (!IsSuccess(reply) || !primary.ok()) {
    return Change(name, [&](Gang& each) {
      each.words = IsSuccess(reply) ? std::string(primary.status().message())
                                    : WordsOfReply(reply);
      each.next_try = clock_.Steady() + options_.settings.retry_period;
    });
  }
  if (primary->nonce != gang.owner.nonce) {
    return Change(name, [&](Gang& each) {
      each.stage = Stage::kRefused;
      each.words = absl::StrCat("the name ", primary->name, " is taken");
    });
  }
  MutexLock lock(mu_);
  const auto found = gangs_.find(name);
  if (found == gangs_.end()) return;
  Gang& each = found->second;
  each.may_exist = false;
  each.words.clear();
  each.next_try = SteadyTime{};
  each.stage = primary->is_revoked ? Stage::kRevoked : Stage::kInCluster;
  each.was_seen = true;
  // A watch may have a newer state already.
  const ObjectScope scope = ScopeOf(each);
  if (tracker_.PrimaryOf(scope, primary->name) == nullptr) {
    tracker_.TakeObject(scope, {std::nullopt, *primary}, /*is_gone=*/false);
  }
}

void KubernetesJobs::RevokeByName(const Gang& gang) {
  const ObjectSpec spec =
      TombstoneSpec(PrimaryOfGang(gang), options_.instance, gang.owner.nonce);
  const auto reply = Call({"POST", spec.path, spec.json});
  if (!reply.ok()) return;
  if (IsSuccess(*reply)) return TakeLook(gang, *reply);
  if (reply->status == kConflict) return;  // Something was faster: poll again.
  has_changed_ = true;
  Change(gang.owner.name, [&](Gang& each) {
    each.words = WordsOfReply(*reply);
    each.next_try = clock_.Steady() + options_.settings.retry_period;
  });
}

void KubernetesJobs::MakeDependents(Gang gang) {
  const std::string& name = gang.owner.name;
  std::string owner;
  {
    MutexLock lock(mu_);
    const auto* primary =
        tracker_.PrimaryOf(ScopeOf(gang), PrimaryOfGang(gang).name);
    if (primary == nullptr || primary->is_gone) return;
    owner = primary->object.uid;
  }
  if (gang.mark.state == AttemptMark::State::kBegun) {
    const auto specs = DependentSpecs(gang.mark.kind, *gang.objects, owner);
    if (!specs.ok()) {
      return Change(name, [&](Gang& each) {
        each.words = std::string(specs.status().message());
        each.objects.reset();
      });
    }
    for (const ObjectSpec& spec : *specs) {
      const auto reply = Call({"POST", spec.path, spec.json});
      if (!reply.ok()) return;
      // A conflict means that an earlier try made the object.
      if (IsSuccess(*reply) || reply->status == kConflict) continue;
      has_changed_ = true;
      return Change(name, [&](Gang& each) {
        each.words = absl::StrCat(spec.path, "/", spec.name,
                                  " cannot be made: ", WordsOfReply(*reply));
        each.next_try =
            clock_.Steady() +
            (IsRefusal(*reply) ? kQuotaAgain : options_.settings.retry_period);
      });
    }
    // This is noted only once all objects exist: a restarted service makes the
    // objects again if it finds the mark kBegun.
    gang.mark.state = AttemptMark::State::kMade;
    if (!Mark(name, gang.mark)) return;
  }
  Change(name, [](Gang& each) {
    each.objects.reset();
    each.words.clear();
  });
  has_changed_ = true;
}

void KubernetesJobs::EndRunning(Gang gang) {
  const std::string& name = gang.owner.name;
  GangView view;
  {
    MutexLock lock(mu_);
    view = ViewOf(gang);
  }
  if (gang.is_dropped) {
    for (const ObservedPod& pod : view.pods) tails_.Drop(pod.uid);
  }
  const bool must_delete =
      gang.is_dropped || (gang.end.has_value() && gang.end->must_delete);
  if (view.stage == Stage::kInCluster && view.is_gone) {
    if (!gang.is_dropped) return;
    MutexLock lock(mu_);
    tracker_.Forget(gang.owner.nonce);
    gangs_.erase(name);
    return;
  }
  if (gang.end.has_value() && !gang.end->is_noted) {
    // The verdict is stored before anything is deleted, because the evidence
    // for it goes with the pods.
    gang.mark.verdict = gang.end->verdict;
    if (!Mark(name, gang.mark)) return;
    Change(name, [](Gang& each) { each.end->is_noted = true; });
  }
  const SteadyTime now = clock_.Steady();
  const auto left =
      gang.end.has_value()
          ? std::chrono::ceil<std::chrono::seconds>(gang.end->deadline - now)
          : std::chrono::seconds(1);
  // With a grace period of 0 the server would forget a pod that still runs.
  const std::int64_t grace = std::max<std::int64_t>(left.count(), 1);
  for (const ObservedPod& pod : view.pods) {
    if (pod.is_over() || pod.deletion_asked_at.has_value()) continue;
    const auto reply = Call(
        {"DELETE", absl::StrCat(PodsPath(gang.mark.name_space), "/", pod.name),
         DeleteOptionsJson(nullptr, grace)});
    if (!reply.ok()) return;
  }
  if (must_delete) {
    DeletePrimary(gang);
  } else if (gang.mark.kind == GangKind::kJobs) {
    // Otherwise a Job might still make a pod.
    if (!DeleteOtherJobs(gang)) return;
  }
  const SteadyTime again = clock_.Steady() + kEndAgain;
  Change(name, [&](Gang& each) {
    each.next_try = again;
    if (each.end.has_value() && must_delete) each.objects.reset();
  });
  Until(again);
}

// Deletes the Jobs of all replicas except the master, whose Job is the primary
// object. Returns false if the server does not answer.
bool KubernetesJobs::DeleteOtherJobs(const Gang& gang) {
  for (const ReplicaId& replica : gang.owner.replicas) {
    if (replica.role == ReplicaRole::kMaster) continue;
    const auto reply = Call(
        {"DELETE",
         absl::StrCat(CollectionPath(GangKind::kJobs, gang.mark.name_space),
                      "/", ReplicaJobName(gang.owner.name, replica)),
         DeleteOptionsJson("Foreground", -1)});
    if (!reply.ok()) return false;
  }
  return true;
}

// Deletes in the foreground: once the object is gone, so are all that it owns.
void KubernetesJobs::DeletePrimary(const Gang& gang) {
  const PrimaryObject primary = PrimaryOfGang(gang);
  const auto reply =
      Call({"DELETE",
            absl::StrCat(CollectionPath(primary.kind, primary.name_space), "/",
                         primary.name),
            DeleteOptionsJson("Foreground", -1)});
  if (!reply.ok()) return;
  if (reply->status == kNotFound) {
    has_changed_ = true;
    Change(gang.owner.name, [](Gang& each) { each.is_gone = true; });
  } else if (!IsSuccess(*reply) && log_) {
    log_(absl::StrCat("deleting ", primary.name, ": ", WordsOfReply(*reply)));
  }
}

// Only events show what keeps a controller from making a pod.
void KubernetesJobs::AskForWarning(const Gang& gang) {
  const SteadyTime now = clock_.Steady();
  if (now < gang.next_warning) return Until(gang.next_warning);
  const std::string& name = gang.owner.name;
  std::set<std::string> jobs;
  {
    MutexLock lock(mu_);
    for (const ObservedPod& pod :
         tracker_.PodsOf(gang.mark.name_space, gang.owner.nonce)) {
      jobs.insert(pod.job);
    }
  }
  std::string missing;
  for (const ReplicaId& replica : gang.owner.replicas) {
    const std::string job = ReplicaJobName(name, replica);
    if (missing.empty() && jobs.count(job) == 0) missing = job;
  }
  std::string warning;
  // The first time is too early for warnings.
  if (!missing.empty() && gang.next_warning != SteadyTime{}) {
    for (const std::string& object : {missing, name}) {
      const auto reply =
          Call({"GET",
                absl::StrCat("/api/v1/namespaces/", gang.mark.name_space,
                             "/events?limit=50&fieldSelector=type%3DWarning%2C"
                             "involvedObject.name%3D",
                             object),
                ""});
      if (!reply.ok()) return;
      if (reply->status == kOk && warning.empty()) {
        warning = NewestEvent(reply->body);
      }
    }
  }
  has_changed_ = has_changed_ || warning != gang.warning;
  Change(name, [&](Gang& each) {
    each.warning = warning;
    each.next_warning = now + kWarningPeriod;
  });
  Until(now + kWarningPeriod);
}

}  // namespace vernier
