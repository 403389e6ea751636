// Measures how fast the real service, in a process of its own and with a
// durable store, serves clients of OSS Vizier's protocol, which are connections
// of this process.
//
//   server_bench [FOLDER [SECONDS [PART]]]
//
// PART is random, default, reports, batched or paced; without it all are
// measured. FOLDER must be on the disk to be measured. The service is the
// program `vernier` of the same build, or $VERNIER_BINARY. Prints a line per
// measurement and exits with 1 if a bar is missed.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server_load.h"

namespace vernier {
namespace {

// Asks for a trial and completes it, again and again until `stop`.
class AskTellClient {
 public:
  AskTellClient(std::unique_ptr<Stub> stub, const std::string& study, int id,
                const std::function<bool()>& stop, Times* asks, Times* tells,
                Finish* finish)
      : stub_(std::move(stub)),
        stop_(stop),
        asks_(asks),
        tells_(tells),
        finish_(finish) {
    ask_.set_parent(study);
    ask_.set_client_id(absl::StrCat("c", id));
    ask_.set_suggestion_count(1);
  }

  void Ask() {
    if (stop_()) return finish_->One();
    context_ = std::make_unique<grpc::ClientContext>();
    start_ = Clock::now();
    stub_->async()->SuggestTrials(
        context_.get(), &ask_, &operation_, [this](const grpc::Status& status) {
          if (!status.ok()) Die("SuggestTrials: " + status.error_message());
          asks_->Add(Clock::now() - start_);
          Tell();
        });
  }

 private:
  void Tell() {
    vizier::SuggestTrialsResponse response;
    operation_.response().UnpackTo(&response);
    if (response.trials_size() != 1) Die("no trial");
    vizier::CompleteTrialRequest& tell = tell_;
    tell.Clear();
    tell.set_name(response.trials(0).name());
    double loss = 0;
    for (const auto& parameter : response.trials(0).parameters()) {
      const double x = parameter.value().number_value() - 0.3;
      loss += x * x;
    }
    auto* metric = tell.mutable_final_measurement()->add_metrics();
    metric->set_metric_id("loss");
    metric->set_value(loss);
    context_ = std::make_unique<grpc::ClientContext>();
    start_ = Clock::now();
    stub_->async()->CompleteTrial(
        context_.get(), &tell_, &trial_, [this](const grpc::Status& status) {
          if (!status.ok()) Die("CompleteTrial: " + status.error_message());
          tells_->Add(Clock::now() - start_);
          Ask();
        });
  }

  const std::unique_ptr<Stub> stub_;
  const std::function<bool()>& stop_;
  Times* const asks_;
  Times* const tells_;
  Finish* const finish_;
  vizier::SuggestTrialsRequest ask_;
  vizier::Operation operation_;
  vizier::CompleteTrialRequest tell_;
  vizier::Trial trial_;
  std::unique_ptr<grpc::ClientContext> context_;
  Clock::time_point start_;
};

void MeasureAskTell(const Service& service, const std::string& algorithm,
                    int clients, const std::function<bool(std::size_t)>& stop,
                    double bar, double latency_bar) {
  const std::string study =
      MakeStudy(*service.Connect(), "ask " + algorithm, algorithm);
  Times asks;
  Times tells;
  Finish finish(clients);
  const std::function<bool()> is_over = [&] { return stop(tells.count()); };
  std::vector<std::unique_ptr<AskTellClient>> all;
  for (int i = 0; i < clients; ++i) {
    all.push_back(std::make_unique<AskTellClient>(
        service.Connect(), study, i, is_over, &asks, &tells, &finish));
  }
  const Clock::time_point start = Clock::now();
  for (auto& client : all) client->Ask();
  finish.Wait();
  const double seconds = Milliseconds(Clock::now() - start).count() / 1000;
  const std::string what = absl::StrCat(algorithm, ", ", clients, " clients, ",
                                        tells.count(), " trials: ");
  Report(what + "trials", static_cast<double>(tells.count()) / seconds, "/s",
         bar, true);
  if (latency_bar > 0) {
    Report(what + "suggest p99", asks.Quantile(0.99), "ms", latency_bar, false);
    Report(what + "complete p99", tells.Quantile(0.99), "ms", latency_bar,
           false);
  }
  std::printf("  suggest p50 %.1f p99 %.1f ms, complete p50 %.1f p99 %.1f ms\n",
              asks.Quantile(0.5), asks.Quantile(0.99), tells.Quantile(0.5),
              tells.Quantile(0.99));
}

// Reports measurements of one trial.
class Reporter {
 public:
  Reporter(std::unique_ptr<Stub> stub, std::string trial, Times* times)
      : stub_(std::move(stub)), times_(times) {
    request_.set_trial_name(std::move(trial));
    auto* metric = request_.mutable_measurement()->add_metrics();
    metric->set_metric_id("loss");
    metric->set_value(0.5);
  }

  // Reports may overlap, if the service is slower than their pace.
  void Report(const std::function<void()>& then) {
    auto call = std::make_shared<Call>();
    call->request = request_;
    call->request.mutable_measurement()->set_step_count(++step_);
    const Clock::time_point start = Clock::now();
    stub_->async()->AddTrialMeasurement(
        &call->context, &call->request, &call->trial,
        [this, call, start, then](const grpc::Status& status) {
          if (!status.ok()) {
            Die("AddTrialMeasurement: " + status.error_message());
          }
          times_->Add(Clock::now() - start);
          then();
        });
  }

 private:
  struct Call {
    grpc::ClientContext context;
    vizier::AddTrialMeasurementRequest request;
    vizier::Trial trial;
  };

  const std::unique_ptr<Stub> stub_;
  Times* const times_;
  vizier::AddTrialMeasurementRequest request_;
  std::int64_t step_ = 0;  // One caller at a time.
};

// Makes `count` trials that are active, and returns their names.
std::vector<std::string> ActiveTrials(const Service& service,
                                      const std::string& name, int count) {
  const auto stub = service.Connect();
  vizier::SuggestTrialsRequest request;
  request.set_parent(MakeStudy(*stub, name, "RANDOM_SEARCH"));
  request.set_client_id("all");
  request.set_suggestion_count(count);
  vizier::Operation operation;
  grpc::ClientContext context;
  const grpc::Status got = stub->SuggestTrials(&context, request, &operation);
  if (!got.ok()) Die("SuggestTrials: " + got.error_message());
  vizier::SuggestTrialsResponse response;
  operation.response().UnpackTo(&response);
  std::vector<std::string> trials;
  for (const vizier::Trial& trial : response.trials()) {
    trials.push_back(trial.name());
  }
  return trials;
}

// Each client reports as fast as it is answered.
void MeasureReports(const Service& service, int clients, double seconds) {
  Times times;
  Finish finish(clients);
  std::vector<std::unique_ptr<Reporter>> reporters;
  for (const std::string& trial : ActiveTrials(service, "reports", clients)) {
    reporters.push_back(
        std::make_unique<Reporter>(service.Connect(), trial, &times));
  }
  const Clock::time_point start = Clock::now();
  const Clock::time_point end =
      start + std::chrono::duration_cast<Clock::duration>(
                  std::chrono::duration<double>(seconds));
  std::function<void(Reporter*)> next = [&](Reporter* reporter) {
    if (Clock::now() >= end) return finish.One();
    reporter->Report([&next, reporter] { next(reporter); });
  };
  for (auto& reporter : reporters) next(reporter.get());
  finish.Wait();
  const double took = Milliseconds(Clock::now() - start).count() / 1000;
  Report(absl::StrCat("single reports, ", clients, " clients"),
         static_cast<double>(times.count()) / took, "/s", 5000, true);
  std::printf("  p50 %.1f ms, p99 %.1f ms\n", times.Quantile(0.5),
              times.Quantile(0.99));
}

// A client that creates trials one after the other, each with all of its
// reports: many reports in one call, durable together.
class BatchReporter {
 public:
  BatchReporter(std::unique_ptr<Stub> stub, const std::string& study,
                int reports)
      : stub_(std::move(stub)) {
    request_.set_parent(study);
    vizier::Trial& trial = *request_.mutable_trial();
    trial.set_state(vizier::Trial::SUCCEEDED);
    for (int i = 0; i < 8; ++i) {
      auto* parameter = trial.add_parameters();
      parameter->set_parameter_id(absl::StrCat("x", i));
      parameter->mutable_value()->set_number_value(0.5);
    }
    for (int step = 1; step <= reports; ++step) {
      Fill(step, trial.add_measurements());
    }
    Fill(reports, trial.mutable_final_measurement());
  }

  void Report(const std::function<void()>& then) {
    context_ = std::make_unique<grpc::ClientContext>();
    stub_->async()->CreateTrial(
        context_.get(), &request_, &trial_, [then](const grpc::Status& status) {
          if (!status.ok()) Die("CreateTrial: " + status.error_message());
          then();
        });
  }

 private:
  static void Fill(int step, vizier::Measurement* measurement) {
    measurement->set_step_count(step);
    auto* metric = measurement->add_metrics();
    metric->set_metric_id("loss");
    metric->set_value(1.0 / step);
  }

  const std::unique_ptr<Stub> stub_;
  vizier::CreateTrialRequest request_;
  vizier::Trial trial_;
  std::unique_ptr<grpc::ClientContext> context_;
};

void MeasureBatchedReports(const Service& service, int clients, int reports,
                           double seconds) {
  const std::string study =
      MakeStudy(*service.Connect(), "batched", "RANDOM_SEARCH");
  Times times;
  Finish finish(clients);
  std::vector<std::unique_ptr<BatchReporter>> reporters;
  for (int i = 0; i < clients; ++i) {
    reporters.push_back(
        std::make_unique<BatchReporter>(service.Connect(), study, reports));
  }
  const Clock::time_point start = Clock::now();
  const Clock::time_point end =
      start + std::chrono::duration_cast<Clock::duration>(
                  std::chrono::duration<double>(seconds));
  std::function<void(BatchReporter*)> next = [&](BatchReporter* reporter) {
    const Clock::time_point now = Clock::now();
    if (now >= end) return finish.One();
    reporter->Report([&times, &next, reporter, now] {
      times.Add(Clock::now() - now);
      next(reporter);
    });
  };
  for (auto& reporter : reporters) next(reporter.get());
  finish.Wait();
  const double took = Milliseconds(Clock::now() - start).count() / 1000;
  Report(absl::StrCat("batched reports, ", reports, " a call, ", clients,
                      " clients"),
         static_cast<double>(times.count()) * reports / took, "/s", 20000,
         true);
  std::printf("  a call: p50 %.1f ms, p99 %.1f ms\n", times.Quantile(0.5),
              times.Quantile(0.99));
}

// Each connection reports once a second; the connections are spread evenly over
// the second.
void MeasurePacedReports(const Service& service, int clients, int seconds) {
  Times times;
  std::vector<std::unique_ptr<Reporter>> reporters;
  for (const std::string& trial : ActiveTrials(service, "paced", clients)) {
    reporters.push_back(
        std::make_unique<Reporter>(service.Connect(), trial, &times));
  }
  Finish connected(clients);
  for (auto& reporter : reporters) {
    reporter->Report([&connected] { connected.One(); });
  }
  connected.Wait();
  const std::size_t before = times.count();
  Times paced;
  Times sending;  // The sender's delay, which is this program's fault.
  Finish finish(clients * seconds);
  const Clock::time_point start = Clock::now();
  const Clock::duration gap =
      Clock::duration(std::chrono::seconds(1)) / clients;
  for (int i = 0; i < clients * seconds; ++i) {
    const Clock::time_point due = start + i * gap;
    std::this_thread::sleep_until(due);
    sending.Add(Clock::now() - due);
    // The time counts from when the report was due, because a late sender is
    // waiting, too.
    reporters[static_cast<std::size_t>(i % clients)]->Report(
        [&paced, &finish, due] {
          paced.Add(Clock::now() - due);
          finish.One();
        });
  }
  finish.Wait();
  if (times.count() - before != paced.count()) Die("a report is missing");
  const std::string what = absl::StrCat(clients, " connections at 1/s: ");
  Report(what + "p99", paced.Quantile(0.99), "ms", 25, false);
  std::printf("  p50 %.1f ms; the sender was late by p50 %.1f p99 %.1f ms\n",
              paced.Quantile(0.5), sending.Quantile(0.5),
              sending.Quantile(0.99));
}

int Main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 10;
  const std::string part = argc > 3 ? argv[3] : "";
  const auto wants = [&part](const char* name) {
    return part.empty() || part == name;
  };
  const char* chosen = std::getenv("VERNIER_BINARY");
  const std::string binary =
      chosen != nullptr ? chosen
                        : (std::filesystem::read_symlink("/proc/self/exe")
                               .parent_path()
                               .parent_path() /
                           "vernier")
                              .string();
  if (wants("random")) {
    const Service service(binary, folder);
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(seconds));
    MeasureAskTell(
        service, "RANDOM_SEARCH", 100,
        [end](std::size_t) { return Clock::now() >= end; }, 500, 100);
  }
  if (wants("default")) {
    const Service service(binary, folder);
    // There are up to 200 results, because clients that are busy end theirs,
    // too.
    MeasureAskTell(
        service, "DEFAULT", 100, [](std::size_t told) { return told >= 100; },
        100, 0);
  }
  if (wants("reports")) {
    MeasureReports(Service(binary, folder), 100, seconds);
  }
  if (wants("batched")) {
    MeasureBatchedReports(Service(binary, folder), 16, 100, seconds);
  }
  if (wants("paced")) {
    MeasurePacedReports(Service(binary, folder), 1000,
                        static_cast<int>(seconds));
  }
  return missed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace vernier

int main(int argc, char** argv) { return vernier::Main(argc, argv); }
