#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/kubernetes_jobs.h"
#include "cluster/kubernetes/object_names.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using Stage = GangView::Stage;

constexpr milliseconds kEndAgain{3000};
constexpr milliseconds kQuotaAgain{10000};
constexpr milliseconds kWarningPeriod{5000};
constexpr int kAnswered = 200;
constexpr int kAccepted = 202;
constexpr int kForbidden = 403;
constexpr int kNoSuchObject = 404;
constexpr int kConflict = 409;

bool IsSuccess(const ApiReply& reply) {
  return reply.status >= kAnswered && reply.status <= kAccepted;
}

// Whether the server has refused a request for good: the same one would be
// refused again. An overloaded server, one that is starting, and credentials
// that have expired are none of that.
bool IsRefusal(const ApiReply& reply) {
  switch (reply.status) {
    case 400:
    case kForbidden:
    case kNoSuchObject:
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
  // Unlike other refusals this one may pass, when others have given room back.
  return reply.status == kForbidden &&
         absl::StrContains(reply.body, "exceeded quota");
}

}  // namespace

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
  // It works on a copy, since no lock is held while the server is called.
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
  // What was begun may exist, whatever becomes of this process.
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
  // Without an answer LookFor finds out.
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

// Whether the primary object exists, if that is not known.
void KubernetesJobs::LookFor(Gang gang) {
  const PrimaryObject primary = PrimaryOfGang(gang);
  const auto reply =
      Call({"GET",
            absl::StrCat(CollectionPath(primary.kind, primary.name_space), "/",
                         primary.name),
            ""});
  if (!reply.ok()) return;
  if (reply->status != kNoSuchObject || gang.was_seen) {
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
  // Its creation may still be under way: who wins the name has it for ever.
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
  // A watch may know it better by now.
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
  if (reply->status == kConflict) return;  // Something was faster: look again.
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
      // A conflict is with what an earlier try has made.
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
    // This is noted only when all of it is there, since a restarted service
    // makes again what it finds begun.
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
    // The verdict is kept before anything is deleted, because what it was
    // concluded from goes with the pods.
    gang.mark.verdict = gang.end->verdict;
    if (!Mark(name, gang.mark)) return;
    Change(name, [](Gang& each) { each.end->is_noted = true; });
  }
  const SteadyTime now = clock_.Steady();
  const auto left =
      gang.end.has_value()
          ? std::chrono::ceil<std::chrono::seconds>(gang.end->deadline - now)
          : std::chrono::seconds(1);
  // Without any time the server would forget a pod that still runs.
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
    // Else a Job might still make a pod.
    if (!DeleteOtherJobs(gang)) return;
  }
  const SteadyTime again = clock_.Steady() + kEndAgain;
  Change(name, [&](Gang& each) {
    each.next_try = again;
    if (each.end.has_value() && must_delete) each.objects.reset();
  });
  Until(again);
}

// Those of all replicas but the master, whose Job is the primary object; false
// if the server has refused.
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

// In the foreground: once the object is gone, all that belongs to it is.
void KubernetesJobs::DeletePrimary(const Gang& gang) {
  const PrimaryObject primary = PrimaryOfGang(gang);
  const auto reply =
      Call({"DELETE",
            absl::StrCat(CollectionPath(primary.kind, primary.name_space), "/",
                         primary.name),
            DeleteOptionsJson("Foreground", -1)});
  if (!reply.ok()) return;
  if (reply->status == kNoSuchObject) {
    has_changed_ = true;
    Change(gang.owner.name, [](Gang& each) { each.is_gone = true; });
  } else if (!IsSuccess(*reply) && log_) {
    log_(absl::StrCat("deleting ", primary.name, ": ", WordsOfReply(*reply)));
  }
}

// What keeps a controller from making a pod is told in events only.
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
  // At first there is nothing to be told.
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
      if (reply->status == kAnswered && warning.empty()) {
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
