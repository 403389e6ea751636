#include "cluster/kubernetes/object_watches.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/object_names.h"
#include "cluster/kubernetes/object_specs.h"

namespace vernier {
namespace {

// Each scope follows Kubernetes' list-and-watch protocol: a LIST gives a
// resource version, a WATCH streams the changes after it, and bookmarks move
// the version forward. A watch without a version, for instance after an error,
// starts again with a LIST.

using std::chrono::milliseconds;

constexpr int kPageSize = 200;
constexpr int kMaxPages = 1000;
// A bookmark comes every minute, so longer silence means that the connection
// was cut.
constexpr std::chrono::seconds kMostSilence{150};
constexpr milliseconds kReopen{500};

}  // namespace

ObjectWatches::ObjectWatches(KubernetesApi& api,
                             const KubernetesSettings& settings,
                             std::string instance, Sink sink)
    : api_(api),
      settings_(settings),
      instance_(std::move(instance)),
      sink_(std::move(sink)) {}

std::string ObjectWatches::Path(const ObjectScope& scope) const {
  const std::string collection =
      scope.is_pods() ? PodsPath(scope.name_space)
                      : CollectionPath(*scope.kind, scope.name_space);
  std::string selector = absl::StrCat("vernier%2Finstance%3D", instance_);
  // This leaves out the Jobs of a JobSet and those of other replicas.
  if (!scope.is_pods()) {
    absl::StrAppend(&selector, "%2Cvernier%2Fpart%3D", kPrimaryPart);
  }
  return absl::StrCat(collection, "?labelSelector=", selector);
}

absl::Status ObjectWatches::Turn(const std::set<ObjectScope>& scopes,
                                 const Clock& clock, SteadyTime* next) {
  for (auto watch = watches_.begin(); watch != watches_.end();) {
    if (scopes.count(watch->first) > 0) {
      ++watch;
      continue;
    }
    Close(watch->second);
    watch = watches_.erase(watch);
  }
  for (const ObjectScope& scope : scopes) {
    Watch& watch = watches_[scope];
    SteadyTime now = clock.Steady();
    const auto again = sink_.next_listing(scope);
    if (again.has_value()) {
      *next = std::min(*next, *again);
      // Closing drops the version, so it is listed again below.
      if (now >= *again) Close(watch);
    }
    if (watch.stream.has_value()) Read(scope, watch, now);
    if (!watch.stream.has_value()) {
      if (now < watch.next_try) {
        *next = std::min(*next, watch.next_try);
        continue;
      }
      if (watch.version.empty()) {
        const absl::Status listed = List(scope, watch, clock);
        now = clock.Steady();
        if (!listed.ok()) {
          watch.next_try = now + settings_.retry_period;
          *next = std::min(*next, watch.next_try);
          return listed;
        }
      }
      Open(scope, watch, now);
    }
  }
  return absl::OkStatus();
}

absl::Status ObjectWatches::List(const ObjectScope& scope, Watch& watch,
                                 const Clock& clock) {
  const SteadyTime began = clock.Steady();
  std::vector<ObservedObject> objects;
  std::string next;
  for (int i = 0; i < kMaxPages; ++i) {
    const std::string path =
        absl::StrCat(Path(scope), "&limit=", kPageSize,
                     next.empty() ? "" : "&continue=", next);
    VERNIER_ASSIGN_OR_RETURN(const ApiReply reply,
                             api_.Call({"GET", path, ""}));
    if (reply.status != 200) {
      return absl::UnavailableError(
          absl::StrCat("Kubernetes does not list ", Path(scope), ": ",
                       reply.status, ": ", WordsOfStatus(reply.body)));
    }
    VERNIER_ASSIGN_OR_RETURN(ObservedPage page,
                             ReadListing(reply.body, scope.is_pods()));
    std::move(page.objects.begin(), page.objects.end(),
              std::back_inserter(objects));
    // All pages of one listing have the same version, and the watch continues
    // from it.
    watch.version = page.resource_version;
    next = page.next;
    if (next.empty()) break;
  }
  if (!next.empty()) {
    watch.version.clear();
    return absl::ResourceExhaustedError("Kubernetes lists too many objects");
  }
  sink_.listing(scope, objects, began);
  return absl::OkStatus();
}

void ObjectWatches::Open(const ObjectScope& scope, Watch& watch,
                         SteadyTime now) {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(settings_.watch_time);
  watch.stream = api_.Open(absl::StrCat(
      Path(scope), "&watch=true&allowWatchBookmarks=true&timeoutSeconds=",
      seconds.count(), "&resourceVersion=", watch.version));
  watch.lines.Clear();
  watch.is_broken = false;
  watch.opened_at = watch.heard_at = now;
}

void ObjectWatches::Read(const ObjectScope& scope, Watch& watch,
                         SteadyTime now) {
  const KubernetesApi::Part part = api_.Read(*watch.stream);
  if (!part.data.empty()) watch.heard_at = now;
  const bool is_whole = watch.lines.Add(part.data, [&](std::string_view line) {
    if (!watch.is_broken) TakeLine(scope, watch, line);
  });
  const bool is_silent = now - watch.heard_at > kMostSilence;
  if (!is_whole || watch.is_broken) {
    Close(watch);
    watch.next_try = now + kReopen;
    return;
  }
  if (!part.is_over && !is_silent) return;
  // If the server does not know the version any more, or refuses for another
  // reason, a new listing is needed.
  const std::string version =
      part.status == 200 || part.status == 0 ? watch.version : "";
  Close(watch);
  watch.version = version;
  watch.next_try = std::max(now, watch.opened_at + kReopen);
}

void ObjectWatches::TakeLine(const ObjectScope& scope, Watch& watch,
                             std::string_view line) {
  if (line.empty()) return;
  const absl::StatusOr<ObservedChange> change =
      ReadChange(line, scope.is_pods());
  if (!change.ok() || change->kind == ObservedChange::Kind::kError ||
      change->kind == ObservedChange::Kind::kExpired) {
    watch.is_broken = true;
    return;
  }
  if (!change->resource_version.empty()) {
    watch.version = change->resource_version;
  }
  if (change->kind == ObservedChange::Kind::kBookmark) return;
  sink_.object(scope, change->object,
               change->kind == ObservedChange::Kind::kDeleted);
}

void ObjectWatches::Close(Watch& watch) {
  if (watch.stream.has_value()) api_.Close(*watch.stream);
  watch.stream.reset();
  watch.version.clear();
}

}  // namespace vernier
