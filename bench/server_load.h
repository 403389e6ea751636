#ifndef VERNIER_BENCH_SERVER_LOAD_H_
#define VERNIER_BENCH_SERVER_LOAD_H_

#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/wait.h>
#include <vizier/vizier_service.grpc.pb.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/e2e/frontends/service_start.h"

// The service under load, and what tells how it does.

namespace vernier {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;
using Stub = vizier::VizierService::Stub;

inline int missed = 0;

inline void Report(const std::string& what, double value, const char* unit,
                   double bar, bool at_least) {
  const bool is_met = at_least ? value >= bar : value <= bar;
  missed += is_met ? 0 : 1;
  std::printf("%-58s %10.1f %-9s bar %s %-8g %s\n", what.c_str(), value, unit,
              at_least ? ">=" : "<=", bar, is_met ? "met" : "MISSED");
  std::fflush(stdout);
}

[[noreturn]] inline void Die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

// The service under test, in a folder of its own that is removed at the end.
class Service {
 public:
  Service(const std::string& binary, const std::string& parent) {
    std::string pattern = parent + "/vernier-bench-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) Die("cannot make " + pattern);
    folder_ = pattern;
    const auto pid = StartService(
        {binary, folder_ + "/d", {"--log-level", "error"}, {}, ""});
    if (!pid.ok()) Die(pid.status().ToString());
    pid_ = *pid;
  }
  ~Service() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // A connection that is shared with nobody.
  std::unique_ptr<Stub> Connect() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return vizier::VizierService::NewStub(grpc::CreateCustomChannel(
        "unix:" + folder_ + "/d/vernier.sock",
        grpc::InsecureChannelCredentials(), arguments));
  }

 private:
  std::string folder_;
  pid_t pid_ = 0;
};

// Times of calls, of which all threads add some.
class Times {
 public:
  void Add(Clock::duration time) {
    const std::lock_guard lock(mu_);
    times_.push_back(Milliseconds(time).count());
  }
  std::size_t count() {
    const std::lock_guard lock(mu_);
    return times_.size();
  }
  double Quantile(double part) {
    const std::lock_guard lock(mu_);
    if (times_.empty()) return 0;
    std::sort(times_.begin(), times_.end());
    const auto last = static_cast<double>(times_.size() - 1);
    return times_[static_cast<std::size_t>(part * last)];
  }

 private:
  std::mutex mu_;
  std::vector<double> times_;
};

// Waits until all of some clients have ended.
class Finish {
 public:
  explicit Finish(int count) : left_(count) {}
  void One() {
    const std::lock_guard lock(mu_);
    if (--left_ == 0) changed_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  int left_;
};

inline std::string MakeStudy(Stub& stub, const std::string& name,
                             const std::string& algorithm) {
  vizier::CreateStudyRequest request;
  request.set_parent("owners/bench");
  request.mutable_study()->set_display_name(name);
  auto* spec = request.mutable_study()->mutable_study_spec();
  spec->set_algorithm(algorithm);
  spec->add_metrics()->set_metric_id("loss");
  for (int i = 0; i < 8; ++i) {
    auto* parameter = spec->add_parameters();
    parameter->set_parameter_id(absl::StrCat("x", i));
    parameter->mutable_double_value_spec()->set_max_value(1);
  }
  vizier::Study study;
  grpc::ClientContext context;
  const grpc::Status made = stub.CreateStudy(&context, request, &study);
  if (!made.ok()) Die("CreateStudy: " + made.error_message());
  return study.name();
}

}  // namespace vernier

#endif  // VERNIER_BENCH_SERVER_LOAD_H_
