#include "faces/prometheus/metrics_page.h"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/version.h"
#include "faces/prometheus/exposition.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/devices/device_lease.h"
#include "trials/results/best_trials.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using Type = Exposition::Type;

// The largest number of jobs with samples of their own: those that are not
// final.
constexpr std::size_t kMostJobs = 1000;

std::string Upper(std::string_view text) {
  return absl::AsciiStrToUpper(std::string(text));
}

/// Returns the studies that a caller may see.
std::vector<const StudySnapshot*> SeenBy(const Principal& caller,
                                         const StoreSnapshot& snapshot) {
  std::vector<const StudySnapshot*> seen;
  for (const auto& [id, study] : snapshot) {
    if (CheckProject(caller, ProjectOf(*study)).ok()) {
      seen.push_back(study.get());
    }
  }
  return seen;
}

void AddStudies(const std::vector<const StudySnapshot*>& studies,
                Exposition* page) {
  std::map<std::string, int> jobs;
  for (const JobState state :
       {JobState::kQueued, JobState::kPreparing, JobState::kRunning,
        JobState::kSucceeded, JobState::kFailed, JobState::kCancelling,
        JobState::kCancelled}) {
    jobs[Upper(ToString(state))] = 0;
  }
  std::map<std::string, int> others;
  std::map<TrialEndCause, int> ended;
  int open = 0;
  int running = 0;
  for (const StudySnapshot* study : studies) {
    if (const auto job = AsJob(*study)) {
      ++jobs[Upper(ToString(job->run().state))];
    } else {
      ++others[std::string(ToString(ClientStudyOf(*study).run().state))];
    }
    open += static_cast<int>(study->open.size());
    running += study->live_attempts;
    for (const auto& [cause, count] : study->ended) ended[cause] += count;
  }
  page->Begin("vernier_jobs", Type::kGauge, "Jobs by state.");
  for (const auto& [state, count] : jobs) page->Add({{"state", state}}, count);
  page->Begin("vernier_client_studies", Type::kGauge,
              "Studies whose clients run the trials, by state.");
  for (const auto& [state, count] : others) {
    page->Add({{"state", state}}, count);
  }
  page->Begin("vernier_trials_open", Type::kGauge,
              "Trials that have not ended.");
  page->Add({}, open);
  page->Begin("vernier_attempts_live", Type::kGauge,
              "Attempts of jobs' trials that have not ended.");
  page->Add({}, running);
  page->Begin("vernier_trials_ended", Type::kGauge,
              "Trials that have ended, by cause; without deleted ones.");
  for (const auto& [cause, count] : ended) {
    page->Add({{"cause", std::string(ToString(cause))}}, count);
  }
}

std::optional<double> BestValueOf(const StudySnapshot& study) {
  const TrialRecord* const best = BestTrial(study);
  if (best == nullptr) return std::nullopt;
  return best->final_measurement->value;
}

void AddOpenJobs(const std::vector<const StudySnapshot*>& studies,
                 Exposition* page) {
  std::vector<JobRef> open;
  for (const StudySnapshot* study : studies) {
    if (open.size() == kMostJobs) break;
    const auto job = AsJob(*study);
    if (job.has_value() && !IsTerminal(job->run().state)) open.push_back(*job);
  }
  const auto labels = [](const StudySnapshot& study) {
    return Exposition::Labels{{"project", ProjectOf(study)},
                              {"job", study.name}};
  };
  page->Begin("vernier_job_trials", Type::kGauge,
              "Trials of a job that is not final.");
  for (const JobRef job : open) {
    page->Add(labels(job), static_cast<double>(job->trials.size()));
  }
  page->Begin("vernier_job_trials_max", Type::kGauge,
              "Largest number of trials of such a job.");
  for (const JobRef job : open) page->Add(labels(job), job.run().max_trials);
  page->Begin("vernier_job_attempts_live", Type::kGauge,
              "Attempts of such a job that have not ended.");
  for (const JobRef job : open) page->Add(labels(job), job->live_attempts);
  page->Begin("vernier_job_best_value", Type::kGauge,
              "Best value of such a job's metric so far.");
  for (const JobRef job : open) {
    const std::optional<double> best = BestValueOf(job);
    if (!best.has_value()) continue;
    Exposition::Labels named = labels(job);
    named.emplace_back("metric", ObjectiveOf(*job->spec).name);
    page->Add(named, *best);
  }
}

void AddDevices(const std::vector<Device>& devices,
                const std::vector<UnusableDevice>& troubles,
                const StoreSnapshot& snapshot, Exposition* page) {
  std::map<std::string, int> leases;
  for (const auto& [id, study] : snapshot) {
    for (const TrialId trial : study->open) {
      for (const AttemptRecord& attempt : study->trials.Get(trial).attempts) {
        if (IsTerminal(attempt.state)) continue;
        for (const DeviceId& lease : attempt.devices) {
          ++leases[ParseDeviceLease(lease).device];
        }
      }
    }
  }
  page->Begin("vernier_gpu_leases", Type::kGauge,
              "Replicas that hold a GPU or a share of it.");
  for (const Device& device : devices) {
    page->Add({{"gpu", device.id}, {"model", device.model}}, leases[device.id]);
  }
  page->Begin("vernier_gpu_usable", Type::kGauge,
              "1 if a GPU may be given to trials, 0 if it is sick, in use by "
              "others, or being looked at.");
  for (const Device& device : devices) {
    const bool is_usable = std::none_of(
        troubles.begin(), troubles.end(),
        [&](const UnusableDevice& one) { return one.id == device.id; });
    page->Add({{"gpu", device.id}, {"model", device.model}}, is_usable ? 1 : 0);
  }
}

std::string NameOf(Transport transport) {
  return transport == Transport::kHttp ? "http" : "grpc";
}

double Seconds(std::chrono::microseconds time) {
  return std::chrono::duration<double>(time).count();
}

void AddCalls(const CallStatistics& statistics, Exposition* page) {
  const auto calls = statistics.Read();
  page->Begin("vernier_requests_total", Type::kCounter,
              "Calls that ended, by transport and status; streams of gRPC are "
              "not counted.");
  for (const auto& [transport, of] : calls) {
    for (const auto& [code, count] : of.by_code) {
      page->Add({{"transport", NameOf(transport)}, {"code", code}},
                static_cast<double>(count));
    }
  }
  page->Begin("vernier_request_duration_seconds", Type::kHistogram,
              "How long those calls took.");
  for (const auto& [transport, of] : calls) {
    const std::string name = NameOf(transport);
    std::uint64_t up_to = 0;
    for (std::size_t i = 0; i < CallStatistics::kBuckets.size(); ++i) {
      up_to += of.in_bucket[i];
      page->Add({{"transport", name},
                 {"le", absl::StrCat(Seconds(CallStatistics::kBuckets[i]))}},
                static_cast<double>(up_to), "_bucket");
    }
    page->Add({{"transport", name}, {"le", "+Inf"}},
              static_cast<double>(of.count), "_bucket");
    page->Add({{"transport", name}}, Seconds(of.total), "_sum");
    page->Add({{"transport", name}}, static_cast<double>(of.count), "_count");
  }
}

void AddSpans(const ObserverCounts::Spans& spans, Exposition* page) {
  page->Begin("vernier_trace_spans_total", Type::kCounter,
              "Spans of traces, by what became of them.");
  page->Add({{"result", "exported"}}, static_cast<double>(spans.exported));
  page->Add({{"result", "dropped"}}, static_cast<double>(spans.dropped));
}

// Receivers of one kind are added up, since a receiver's URL may be a secret.
void AddNotices(const std::vector<ObserverCounts::Notices>& receivers,
                Exposition* page) {
  std::map<std::string, ObserverCounts::Notices> kinds;
  for (const ObserverCounts::Notices& one : receivers) {
    ObserverCounts::Notices& sum = kinds[one.kind];
    sum.pending += one.pending;
    sum.delivered += one.delivered;
    sum.failed += one.failed;
    sum.given_up += one.given_up;
  }
  page->Begin("vernier_notices_pending", Type::kGauge,
              "Notices of ends of jobs that were not delivered yet.");
  for (const auto& [kind, sum] : kinds) {
    page->Add({{"receiver", kind}}, static_cast<double>(sum.pending));
  }
  page->Begin("vernier_notices_total", Type::kCounter,
              "Notices that are done with, by what became of them.");
  for (const auto& [kind, sum] : kinds) {
    page->Add({{"receiver", kind}, {"result", "delivered"}},
              static_cast<double>(sum.delivered));
    page->Add({{"receiver", kind}, {"result", "given_up"}},
              static_cast<double>(sum.given_up));
  }
  page->Begin("vernier_notice_failures_total", Type::kCounter,
              "Attempts to deliver a notice that failed.");
  for (const auto& [kind, sum] : kinds) {
    page->Add({{"receiver", kind}}, static_cast<double>(sum.failed));
  }
}

void AddObservers(const ObserverCounts& counts, Exposition* page) {
  if (counts.spans.has_value()) AddSpans(*counts.spans, page);
  if (!counts.notices.empty()) AddNotices(counts.notices, page);
}

void AddDisk(const std::string& data_dir, Exposition* page) {
  struct statvfs info;
  if (data_dir.empty() || ::statvfs(data_dir.c_str(), &info) != 0) return;
  page->Begin("vernier_disk_free_bytes", Type::kGauge,
              "Room on the disk of the data directory.");
  page->Add({}, static_cast<double>(info.f_bavail) *
                    static_cast<double>(info.f_frsize));
  std::error_code error;
  const auto size = fs::file_size(data_dir + "/vernier.db", error);
  if (error) return;
  page->Begin("vernier_database_bytes", Type::kGauge, "Of the studies.");
  page->Add({}, static_cast<double>(size));
}

// The names that all client libraries of Prometheus use.
void AddProcess(Exposition* page) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto time = [](const timeval& value) {
    return static_cast<double>(value.tv_sec) +
           static_cast<double>(value.tv_usec) * 1e-6;
  };
  page->Begin("process_cpu_seconds_total", Type::kCounter,
              "Processor time of the service.");
  page->Add({}, time(usage.ru_utime) + time(usage.ru_stime));
  std::istringstream memory(ReadSmallFile("/proc/self/statm").value_or(""));
  double all = 0;
  double resident = 0;
  memory >> all >> resident;
  page->Begin("process_resident_memory_bytes", Type::kGauge,
              "Memory of the service.");
  page->Add({}, resident * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  std::error_code error;
  const auto open = std::distance(
      fs::directory_iterator("/proc/self/fd", error), fs::directory_iterator());
  page->Begin("process_open_fds", Type::kGauge, "Open descriptors.");
  page->Add({}, static_cast<double>(open));
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  page->Begin("process_max_fds", Type::kGauge, "Most open descriptors.");
  page->Add({}, static_cast<double>(limit.rlim_cur));
}

}  // namespace

std::unique_ptr<HttpExchange> MetricsPage::Begin(
    const HttpRequest& request, const Principal& caller) const {
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  return std::make_unique<BufferedExchange>(
      0, [this, is_read, caller](const std::string& /*body*/) {
        if (!is_read) {
          return TextResponse(405, "text/plain", "only GET is served here\n");
        }
        return TextResponse(200, "text/plain; version=0.0.4; charset=utf-8",
                            Text(caller));
      });
}

std::string MetricsPage::Text(const Principal& caller) const {
  const auto snapshot = dependencies_.store.Snapshot();
  const std::vector<const StudySnapshot*> studies = SeenBy(caller, *snapshot);
  Exposition page;
  page.Begin("vernier_build_info", Type::kGauge, "The release that runs.");
  page.Add({{"version", kVersion}}, 1);
  AddStudies(studies, &page);
  AddOpenJobs(studies, &page);
  AddDevices(dependencies_.devices,
             dependencies_.device_troubles ? dependencies_.device_troubles()
                                           : std::vector<UnusableDevice>(),
             *snapshot, &page);
  AddCalls(dependencies_.activity.statistics(), &page);
  if (dependencies_.observers) AddObservers(dependencies_.observers(), &page);
  AddDisk(dependencies_.data_dir, &page);
  AddProcess(&page);
  return page.Take();
}

}  // namespace vernier
