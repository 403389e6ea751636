#ifndef VERNIER_TESTS_CLUSTER_KUBERNETES_FAKE_API_SERVER_H_
#define VERNIER_TESTS_CLUSTER_KUBERNETES_FAKE_API_SERVER_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "cluster/kubernetes/kubernetes_api.h"

namespace vernier {

/// An API server in memory, which does at once what controllers and nodes would
/// do: the pods of a new object run, and the objects that belong to a deleted
/// object are deleted with it. Lists and watches have the semantics of the real
/// server. Thread-safe.
class FakeApiServer {
 public:
  struct Event {
    std::int64_t version;
    std::string collection;
    std::string type;
    Json object;
  };

  explicit FakeApiServer(bool has_jobsets) : has_jobsets_(has_jobsets) {}

  /// The functions below let tests cause faults and events.
  void set_down(bool is_down) {
    std::lock_guard<std::mutex> lock(mu_);
    is_down_ = is_down;
    ++epoch_;
    news_.notify_all();
  }
  /// The next POSTs are carried out, but their answers are lost.
  void LoseAnswers(int count) {
    std::lock_guard<std::mutex> lock(mu_);
    lost_answers_ = count;
  }
  /// Calls whose method and path contain `part` get this answer; "" ends it.
  void Refuse(const std::string& part, int status, const std::string& words) {
    std::lock_guard<std::mutex> lock(mu_);
    refused_ = part;
    refusal_ = {status, Status(status, words)};
  }
  /// Versions so far are too old for a watch, and watches end.
  void Compact() {
    std::lock_guard<std::mutex> lock(mu_);
    oldest_ = version_ + 1;
    ++version_;
    ++epoch_;
    news_.notify_all();
  }
  /// Watches break off.
  void BreakStreams() {
    std::lock_guard<std::mutex> lock(mu_);
    ++epoch_;
    news_.notify_all();
  }
  /// New pods wait for a node.
  void set_has_room(bool has_room) {
    std::lock_guard<std::mutex> lock(mu_);
    has_room_ = has_room;
  }
  /// Listings lack the pods and primary objects, although they are there.
  void set_hides_all(bool hides_all) {
    std::lock_guard<std::mutex> lock(mu_);
    hides_all_ = hides_all;
  }

  /// Changes the status of the pods of an attempt's role by a JSON merge.
  void SetStatus(const std::string& nonce, const std::string& role,
                 const std::string& status) {
    std::lock_guard<std::mutex> lock(mu_);
    for (auto& [name, pod] : Pods()) {
      if (!Is(pod, nonce, role)) continue;
      pod["status"].merge_patch(ParseJson(status).value());
      Note("pods", "MODIFIED", pod);
    }
  }
  /// Ends the master's program, now or as soon as it runs.
  void EndMaster(const std::string& nonce, int exit_code) {
    std::lock_guard<std::mutex> lock(mu_);
    endings_[nonce] = exit_code;
    EndProgram(nonce);
  }
  /// Deletes the object that stands for the attempt, as another client might.
  void DeletePrimary(const std::string& nonce) {
    std::lock_guard<std::mutex> lock(mu_);
    for (const char* collection : {"jobsets", "jobs"}) {
      auto& objects = objects_[collection];
      for (auto each = objects.begin(); each != objects.end(); ++each) {
        if (!Is(each->second, nonce, "")) continue;
        DeleteObject(collection, each->first);
        return;
      }
    }
  }
  void DeletePods(const std::string& nonce) {
    std::lock_guard<std::mutex> lock(mu_);
    for (const std::string& name : NamesOf("pods", nonce)) DeletePod(name, 0);
  }
  void Print(const std::string& nonce, const std::string& role,
             const std::string& line) {
    std::lock_guard<std::mutex> lock(mu_);
    for (const auto& [name, pod] : Pods()) {
      if (!Is(pod, nonce, role)) continue;
      char time[40];
      std::snprintf(time, sizeof(time), "2026-02-03T04:%02d:%02d.%09dZ ",
                    lines_ / 6000 % 60, lines_ / 100 % 60, lines_ % 100);
      ++lines_;
      logs_[name] += time + line + "\n";
      news_.notify_all();
    }
  }

  int starts(const std::string& nonce) {
    std::lock_guard<std::mutex> lock(mu_);
    return starts_[nonce];
  }
  std::vector<std::string> names(const std::string& collection) {
    std::lock_guard<std::mutex> lock(mu_);
    std::vector<std::string> names;
    for (const auto& [name, object] : objects_[collection]) {
      names.push_back(name);
    }
    return names;
  }
  int count(const std::string& part) {
    std::lock_guard<std::mutex> lock(mu_);
    int count = 0;
    for (const std::string& call : calls_) {
      count += absl::StrContains(call, part) ? 1 : 0;
    }
    return count;
  }

  absl::StatusOr<ApiReply> Handle(const ApiRequest& request) {
    std::lock_guard<std::mutex> lock(mu_);
    calls_.push_back(request.method + " " + request.path);
    if (is_down_) return absl::UnavailableError("nobody answers");
    if (!refused_.empty() && absl::StrContains(calls_.back(), refused_)) {
      return refusal_;
    }
    ApiReply reply = Answer(request);
    if (request.method == "POST" && lost_answers_ > 0) {
      --lost_answers_;
      return absl::UnavailableError("the answer was lost");
    }
    return reply;
  }

  /// One stream's state: a watch, or a log.
  struct Stream {
    std::string path;
    std::int64_t version = 0;  // For a watch, the last event that was sent.
    std::size_t offset = 0;    // For a log.
    int epoch = -1;
  };
  KubernetesApi::Part Read(Stream& stream) {
    std::lock_guard<std::mutex> lock(mu_);
    KubernetesApi::Part part;
    if (stream.epoch < 0) stream.epoch = epoch_;
    if (is_down_ || stream.epoch != epoch_) {
      part.is_over = true;
      part.trouble = "the connection broke";
      return part;
    }
    if (!refused_.empty() && absl::StrContains(stream.path, refused_)) {
      part.status = refusal_.status;
      part.trouble = refusal_.body;
      part.is_over = true;
      return part;
    }
    part.status = 200;
    if (absl::StrContains(stream.path, "/log?")) {
      ReadLog(stream, &part);
    } else {
      ReadEvents(stream, &part);
    }
    return part;
  }
  bool HasNews(const Stream& stream) {
    std::lock_guard<std::mutex> lock(mu_);
    if (stream.epoch != epoch_ || is_down_) return true;
    if (absl::StrContains(stream.path, "/log?")) {
      const std::string name = PodOfLog(stream.path);
      return logs_[name].size() > stream.offset || IsOver(name);
    }
    return !events_.empty() && events_.back().version > stream.version;
  }
  template <typename Condition>
  void Await(std::chrono::milliseconds timeout, const Condition& condition) {
    std::unique_lock<std::mutex> lock(wait_);
    news_.wait_for(lock, std::min(timeout, std::chrono::milliseconds(20)),
                   condition);
  }
  void NotifyAll() { news_.notify_all(); }

 private:
  static std::string Status(int code, const std::string& words) {
    return DumpJson(
        Json{{"kind", "Status"}, {"code", code}, {"message", words}});
  }
  static std::string Label(const Json& object, const char* label) {
    const Json& metadata = object.at("metadata");
    return metadata.value("labels", Json::object()).value(label, "");
  }
  static bool Is(const Json& object, const std::string& nonce,
                 const std::string& role) {
    return Label(object, "vernier/attempt") == nonce &&
           (role.empty() || Label(object, "vernier/role") == role);
  }
  std::map<std::string, Json>& Pods() { return objects_["pods"]; }
  std::vector<std::string> NamesOf(const std::string& collection,
                                   const std::string& nonce) {
    std::vector<std::string> names;
    for (const auto& [name, object] : objects_[collection]) {
      if (Is(object, nonce, "")) names.push_back(name);
    }
    return names;
  }

  void Note(const std::string& collection, const std::string& type,
            Json& object) {
    object["metadata"]["resourceVersion"] = std::to_string(++version_);
    events_.push_back({version_, collection, type, object});
    news_.notify_all();
  }

  ApiReply Answer(const ApiRequest& request) {
    const std::string path = request.path.substr(0, request.path.find('?'));
    if (path == "/apis/jobset.x-k8s.io/v1alpha2") {
      return has_jobsets_ ? ApiReply{200, "{}"} : ApiReply{404, "{}"};
    }
    const std::vector<std::string> parts = absl::StrSplit(path, '/');
    // "", "api", "v1", "namespaces", NS, COLLECTION, NAME, or one more.
    const std::size_t at = parts[1] == "api" ? 5 : 6;
    if (parts.size() <= at) return {404, Status(404, "not found")};
    const std::string& collection = parts[at];
    if (collection == "jobsets" && !has_jobsets_) {
      return {404, Status(404, "the server could not find the resource")};
    }
    const std::string name = parts.size() > at + 1 ? parts[at + 1] : "";
    if (request.method == "POST") return Create(collection, request.body);
    if (name.empty()) return List(collection, request.path);
    auto& objects = objects_[collection];
    const auto found = objects.find(name);
    if (found == objects.end()) {
      return {404, Status(404, name + " not found")};
    }
    if (request.method == "GET") return {200, DumpJson(found->second)};
    const Json body = ParseJson(request.body).value_or(Json::object());
    if (collection == "pods") {
      DeletePod(name, body.value("gracePeriodSeconds", 30));
    } else {
      DeleteObject(collection, name);
    }
    return {200, Status(200, "")};
  }

  static bool Matches(const Json& object, const std::string& path) {
    const std::size_t begin = path.find("labelSelector=");
    if (begin == std::string::npos) return true;
    std::string text = path.substr(begin + 14);
    text = text.substr(0, text.find('&'));
    text =
        absl::StrReplaceAll(text, {{"%2F", "/"}, {"%3D", "="}, {"%2C", ","}});
    for (const auto word : absl::StrSplit(text, ',')) {
      const std::pair<std::string, std::string> pair =
          absl::StrSplit(word, absl::MaxSplits('=', 1));
      if (Label(object, pair.first.c_str()) != pair.second) return false;
    }
    return true;
  }

  ApiReply List(const std::string& collection, const std::string& path) {
    Json items = Json::array();
    for (const auto& [name, object] : objects_[collection]) {
      if (!hides_all_ && Matches(object, path)) items.push_back(object);
    }
    return {200,
            DumpJson(Json{
                {"metadata", {{"resourceVersion", std::to_string(version_)}}},
                {"items", items}})};
  }

  ApiReply Create(const std::string& collection, const std::string& body) {
    Json object = ParseJson(body).value();
    const std::string name = object["metadata"]["name"];
    auto& objects = objects_[collection];
    if (objects.count(name) > 0) {
      return {409, Status(409, name + " already exists")};
    }
    object["metadata"]["uid"] = absl::StrCat("uid-", ++uids_);
    object["metadata"]["creationTimestamp"] = "2026-02-03T04:05:06Z";
    Note(collection, "ADDED", object);
    objects[name] = object;
    MakePods(collection, object);
    return {201, DumpJson(object)};
  }

  void MakePods(const std::string& collection, const Json& object) {
    const Json& spec = object["spec"];
    if (spec.value("suspend", false)) return;
    const std::string name = object["metadata"]["name"];
    if (collection == "jobs") MakePod(spec["template"], name);
    if (collection != "jobsets") return;
    for (const Json& role : spec["replicatedJobs"]) {
      for (int i = 0; i < role["replicas"].get<int>(); ++i) {
        const std::string title = role["name"];
        MakePod(role["template"]["spec"]["template"],
                absl::StrCat(name, "-", title, "-", i));
      }
    }
  }

  void MakePod(const Json& pod_template, const std::string& job) {
    Json pod = pod_template;
    const std::string name = job + "-0-abcde";
    pod["metadata"]["name"] = name;
    pod["metadata"]["uid"] = absl::StrCat("uid-", ++uids_);
    pod["metadata"]["labels"]["batch.kubernetes.io/job-name"] = job;
    const std::string nonce = Label(pod, "vernier/attempt");
    const Json& words =
        pod["spec"]["containers"][0].value("command", Json::array({""}));
    if (!has_room_) {
      pod["status"] = {
          {"phase", "Pending"},
          {"conditions", Json::array({{{"type", "PodScheduled"},
                                       {"status", "False"},
                                       {"reason", "Unschedulable"},
                                       {"message", "0/1 nodes are there"}}})}};
    } else if (words[0] == "/nowhere/program") {
      pod["status"] = {{"phase", "Failed"}};
      pod["status"]["containerStatuses"] =
          Terminated(128, "StartError", "no such file");
    } else {
      pod["spec"]["nodeName"] = "node-1";
      pod["status"] = {{"phase", "Running"}};
      pod["status"]["containerStatuses"] = Json::array(
          {{{"state",
             {{"running", {{"startedAt", "2026-02-03T04:05:06Z"}}}}}}});
      if (Label(pod, "vernier/role") == "master") ++starts_[nonce];
    }
    Note("pods", "ADDED", pod);
    Pods()[name] = pod;
    EndProgram(nonce);
  }

  static Json Terminated(int exit_code, const std::string& reason,
                         const std::string& message) {
    return Json::array({{{"state",
                          {{"terminated",
                            {{"exitCode", exit_code},
                             {"reason", reason},
                             {"message", message},
                             {"startedAt", "2026-02-03T04:05:06Z"},
                             {"finishedAt", "2026-02-03T04:05:09Z"}}}}}}});
  }

  void EndProgram(const std::string& nonce) {
    const auto ending = endings_.find(nonce);
    if (ending == endings_.end()) return;
    for (auto& [name, pod] : Pods()) {
      if (!Is(pod, nonce, "master") || IsOver(name)) continue;
      pod["status"]["phase"] = ending->second == 0 ? "Succeeded" : "Failed";
      pod["status"]["containerStatuses"] = Terminated(
          ending->second, ending->second == 0 ? "Completed" : "Error", "");
      Note("pods", "MODIFIED", pod);
    }
  }

  bool IsOver(const std::string& pod) {
    const auto found = Pods().find(pod);
    if (found == Pods().end()) return true;
    const std::string phase = found->second["status"].value("phase", "");
    return phase == "Succeeded" || phase == "Failed";
  }

  void DeletePod(const std::string& name, int grace) {
    Json pod = Pods().at(name);
    pod["metadata"]["deletionTimestamp"] = "2026-02-03T04:05:38Z";
    pod["metadata"]["deletionGracePeriodSeconds"] = grace;
    if (!IsOver(name)) {
      pod["metadata"]["deletionTimestamp"] = "2026-02-03T04:05:08Z";
      pod["status"]["phase"] = "Failed";
      pod["status"]["containerStatuses"] = Terminated(143, "Error", "");
      Note("pods", "MODIFIED", pod);
    }
    Pods().erase(name);
    Note("pods", "DELETED", pod);
  }

  // `name` is a copy: it may be the key that is erased here.
  void DeleteObject(const std::string& collection, std::string name) {
    Json object = objects_[collection].at(name);
    const std::string uid = object["metadata"]["uid"];
    const std::string nonce = Label(object, "vernier/attempt");
    objects_[collection].erase(name);
    for (const std::string& pod : NamesOf("pods", nonce)) {
      const bool is_own =
          collection == "jobsets" || absl::StartsWith(pod, name + "-");
      if (is_own) DeletePod(pod, 30);
    }
    for (const char* other : {"secrets", "services", "jobs"}) {
      for (const std::string& each : NamesOf(other, nonce)) {
        const Json& owners = objects_[other].at(each)["metadata"].value(
            "ownerReferences", Json::array());
        if (!owners.empty() && owners[0]["uid"] == uid) {
          DeleteObject(other, each);
        }
      }
    }
    Note(collection, "DELETED", object);
  }

  static std::string PodOfLog(const std::string& path) {
    const std::string before = path.substr(0, path.find("/log?"));
    return before.substr(before.rfind('/') + 1);
  }

  void ReadLog(Stream& stream, KubernetesApi::Part* part) {
    const std::string name = PodOfLog(stream.path);
    const std::size_t since = stream.path.find("sinceTime=");
    const std::string& log = logs_[name];
    if (since != std::string::npos && stream.offset == 0) {
      // In whole seconds, like the real server.
      const std::string second = stream.path.substr(since + 10, 19);
      while (stream.offset < log.size() &&
             log.compare(stream.offset, 19, second) < 0) {
        stream.offset = log.find('\n', stream.offset) + 1;
      }
    }
    part->data = log.substr(stream.offset);
    stream.offset = log.size();
    part->is_over = IsOver(name);
    if (Pods().count(name) == 0) {
      part->status = 404;
      part->data.clear();
    }
  }

  void ReadEvents(Stream& stream, KubernetesApi::Part* part) {
    if (stream.version == 0) {
      const std::size_t at = stream.path.find("resourceVersion=");
      stream.version = std::stoll(stream.path.substr(at + 16));
    }
    if (stream.version < oldest_ && stream.version < version_) {
      part->data =
          DumpJson(Json{
              {"type", "ERROR"},
              {"object",
               {{"code", 410}, {"message", "too old resource version"}}}}) +
          "\n";
      part->is_over = true;
      return;
    }
    const std::string path = stream.path.substr(0, stream.path.find('?'));
    const std::string collection = path.substr(path.rfind('/') + 1);
    for (const Event& event : events_) {
      if (event.version <= stream.version) continue;
      stream.version = event.version;
      if (event.collection != collection) continue;
      if (!Matches(event.object, stream.path)) continue;
      part->data +=
          DumpJson(Json{{"type", event.type}, {"object", event.object}}) + "\n";
    }
  }

  const bool has_jobsets_;
  std::mutex mu_;
  std::mutex wait_;
  std::condition_variable news_;
  std::map<std::string, std::map<std::string, Json>> objects_;
  std::vector<Event> events_;
  std::vector<std::string> calls_;
  std::map<std::string, std::string> logs_;
  std::map<std::string, int> endings_;
  std::map<std::string, int> starts_;
  std::int64_t version_ = 1;
  std::int64_t oldest_ = 0;
  int epoch_ = 0;
  int uids_ = 0;
  int lines_ = 0;
  int lost_answers_ = 0;
  bool is_down_ = false;
  bool has_room_ = true;
  bool hides_all_ = false;
  std::string refused_;
  ApiReply refusal_;
};

/// A connection to a FakeApiServer.
class FakeApi final : public KubernetesApi {
 public:
  /// It is shared, because the server outlives launchers.
  explicit FakeApi(std::shared_ptr<FakeApiServer> server)
      : server_(std::move(server)) {}

  absl::StatusOr<ApiReply> Call(const ApiRequest& request) override {
    if (is_stopped_) return absl::CancelledError("stopped");
    return server_->Handle(request);
  }
  StreamId Open(const std::string& path) override {
    streams_[++last_].path = path;
    return last_;
  }
  Part Read(StreamId stream) override {
    const auto found = streams_.find(stream);
    if (found != streams_.end()) return server_->Read(found->second);
    Part part;
    part.is_over = true;
    return part;
  }
  void Close(StreamId stream) override { streams_.erase(stream); }
  void Wait(std::chrono::milliseconds timeout) override {
    const auto until = std::chrono::steady_clock::now() + timeout;
    while (!is_woken_.exchange(false) && !is_stopped_ &&
           std::chrono::steady_clock::now() < until) {
      for (const auto& [id, stream] : streams_) {
        if (server_->HasNews(stream)) return;
      }
      server_->Await(timeout, [&] { return is_woken_ || is_stopped_; });
    }
  }
  void Wake() override {
    is_woken_ = true;
    server_->NotifyAll();
  }
  void Stop() override {
    is_stopped_ = true;
    server_->NotifyAll();
  }

 private:
  const std::shared_ptr<FakeApiServer> server_;
  std::map<StreamId, FakeApiServer::Stream> streams_;
  StreamId last_ = 0;
  std::atomic<bool> is_woken_{false};
  std::atomic<bool> is_stopped_{false};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_KUBERNETES_FAKE_API_SERVER_H_
