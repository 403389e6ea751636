#ifndef VERNIER_TESTS_CLUSTER_KUBERNETES_TRANSCRIPT_H_
#define VERNIER_TESTS_CLUSTER_KUBERNETES_TRANSCRIPT_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "cluster/kubernetes/kubernetes_api.h"

namespace vernier {

/// Returns the name of a request in a transcript, without the parts that differ
/// each time.
inline std::string TranscriptKey(const std::string& method,
                                 const std::string& path) {
  std::string key = method + " " + path;
  for (const char* word : {"resourceVersion=", "sinceTime="}) {
    const std::size_t at = key.find(word);
    if (at == std::string::npos) continue;
    key.erase(at, std::min(key.find('&', at), key.size()) - at);
  }
  return key;
}

/// Writes down what a real API server answers, one line of JSON each, without
/// the parts of objects that no launcher reads.
class RecordingApi final : public KubernetesApi {
 public:
  RecordingApi(std::unique_ptr<KubernetesApi> api, const std::string& path)
      : api_(std::move(api)), file_(path) {}

  absl::StatusOr<ApiReply> Call(const ApiRequest& request) override {
    absl::StatusOr<ApiReply> reply = api_->Call(request);
    if (reply.ok()) {
      Write(Json{{"call", TranscriptKey(request.method, request.path)},
                 {"status", reply->status},
                 {"body", Strip(reply->body)}});
    }
    return reply;
  }
  StreamId Open(const std::string& path) override {
    const StreamId id = api_->Open(path);
    Write(Json{{"open", TranscriptKey("GET", path)}, {"stream", id}});
    is_watch_[id] = path.find("watch=true") != std::string::npos;
    return id;
  }
  Part Read(StreamId stream) override {
    Part part = api_->Read(stream);
    std::string& rest = rests_[stream];
    rest += part.data;
    // Whole lines only.
    const std::size_t end = rest.rfind('\n') + 1;
    std::string data;
    for (std::size_t begin = 0; begin < end;) {
      const std::size_t next = rest.find('\n', begin) + 1;
      const std::string line = rest.substr(begin, next - begin - 1);
      data += (is_watch_[stream] ? Strip(line) : line) + "\n";
      begin = next;
    }
    rest.erase(0, end);
    if (!data.empty() || part.is_over) {
      Write(Json{{"part", stream},
                 {"data", data},
                 {"over", part.is_over},
                 {"status", part.status},
                 {"trouble", part.trouble}});
    }
    return part;
  }
  void Close(StreamId stream) override { api_->Close(stream); }
  void Wait(std::chrono::milliseconds timeout) override { api_->Wait(timeout); }
  void Wake() override { api_->Wake(); }
  void Stop() override { api_->Stop(); }

 private:
  static void StripJson(Json& json) {
    if (json.is_object()) {
      for (const char* key :
           {"managedFields", "containers", "volumes", "replicatedJobs",
            "template", "tolerations", "annotations"}) {
        json.erase(key);
      }
    }
    if (!json.is_structured()) return;
    for (Json& each : json) StripJson(each);
  }
  static std::string Strip(const std::string& text) {
    absl::StatusOr<Json> json = ParseJson(text);
    if (!json.ok()) return text;
    StripJson(*json);
    return DumpJson(*json);
  }
  void Write(const Json& json) {
    file_ << DumpJson(json) << "\n" << std::flush;
  }

  const std::unique_ptr<KubernetesApi> api_;
  std::ofstream file_;
  std::map<StreamId, bool> is_watch_;
  std::map<StreamId, std::string> rests_;
};

/// Gives the answers of a transcript. Events of a stream that followed a change
/// by the launcher come only once that change has been made again.
class ReplayApi final : public KubernetesApi {
 public:
  explicit ReplayApi(const std::vector<Json>& lines) {
    int changes = 0;
    std::map<StreamId, std::size_t> places;
    for (const Json& line : lines) {
      if (line.contains("call")) {
        const std::string key = line["call"];
        calls_[key].push_back(
            {line["status"].get<int>(), line["body"].get<std::string>()});
        if (key.rfind("GET ", 0) != 0) ++changes;
      } else if (line.contains("open")) {
        places[line["stream"].get<StreamId>()] = opens_.size();
        opens_.push_back({line["open"].get<std::string>(), false, {}});
      } else if (line.contains("part")) {
        const auto place = places.find(line["part"].get<StreamId>());
        if (place == places.end()) continue;
        Part part;
        part.data = line["data"];
        part.is_over = line["over"];
        part.status = line["status"];
        part.trouble = line["trouble"];
        opens_[place->second].parts.push_back({changes, part});
      }
    }
  }

  absl::StatusOr<ApiReply> Call(const ApiRequest& request) override {
    if (is_stopped_) return absl::CancelledError("stopped");
    const std::string key = TranscriptKey(request.method, request.path);
    auto& replies = calls_[key];
    if (replies.empty()) return ApiReply{404, "{}"};
    const ApiReply reply = replies.front();
    if (request.method != "GET") {
      made_.insert(key);
      ++changes_;
    }
    // The last answer is repeated, and is no further change.
    if (replies.size() > 1) {
      replies.erase(replies.begin());
    } else if (request.method != "GET") {
      replies[0].status = request.method == "POST" ? 409 : 404;
      if (repeated_.count(key) > 0) --changes_;
      repeated_.insert(key);
    }
    return reply;
  }
  StreamId Open(const std::string& path) override {
    const std::string key = TranscriptKey("GET", path);
    for (Recorded& each : opens_) {
      if (each.is_taken || each.key != key) continue;
      each.is_taken = true;
      streams_[++last_] = &each;
      return last_;
    }
    streams_[++last_] = nullptr;  // It has nothing more to send.
    return last_;
  }
  Part Read(StreamId stream) override {
    Recorded* const recorded = streams_[stream];
    if (recorded == nullptr || recorded->parts.empty() ||
        recorded->parts.front().first > changes_) {
      return Part{"", false, 200, ""};
    }
    Part part = recorded->parts.front().second;
    recorded->parts.erase(recorded->parts.begin());
    return part;
  }
  void Close(StreamId stream) override { streams_.erase(stream); }
  void Wait(std::chrono::milliseconds timeout) override {
    const auto until = std::chrono::steady_clock::now() + timeout;
    while (!is_woken_.exchange(false) && !is_stopped_ &&
           std::chrono::steady_clock::now() < until) {
      for (const auto& [id, recorded] : streams_) {
        if (recorded != nullptr && !recorded->parts.empty() &&
            recorded->parts.front().first <= changes_) {
          return;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  void Wake() override { is_woken_ = true; }
  void Stop() override { is_stopped_ = true; }

 private:
  struct Recorded {
    std::string key;
    bool is_taken;
    std::vector<std::pair<int, Part>> parts;
  };

  std::map<std::string, std::vector<ApiReply>> calls_;
  std::vector<Recorded> opens_;
  std::map<StreamId, Recorded*> streams_;
  std::set<std::string> made_;
  std::set<std::string> repeated_;
  StreamId last_ = 0;
  int changes_ = 0;
  std::atomic<bool> is_woken_{false};
  std::atomic<bool> is_stopped_{false};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_KUBERNETES_TRANSCRIPT_H_
