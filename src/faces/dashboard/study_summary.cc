#include "faces/dashboard/study_summary.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "faces/dashboard/columns.h"
#include "faces/dashboard/curve_columns.h"
#include "faces/dashboard/trial_columns.h"
#include "faces/messages/trial_counts.h"
#include "faces/messages/trial_message.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "study/algorithm_name.h"
#include "study/job_file/code_notes.h"
#include "study/job_id.h"
#include "study/parameter_type_names.h"
#include "study/search_space.h"
#include "study/words/end_words.h"
#include "trials/jobs/early_stopping_savings.h"
#include "trials/jobs/waits_for.h"
#include "trials/results/best_trials.h"
#include "trials/results/point_means.h"
#include "trials/results/time_left.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

constexpr std::size_t kSparkPoints = 40;

Json MillisecondsOrNull(const std::optional<Timestamp>& time) {
  if (!time.has_value()) return nullptr;
  return Milliseconds(*time);
}

// In the form of v1::PointMean.
Json DashboardPoint(const PointMean& point) {
  const v1::PointMean proto = ToProto(point);
  Json json = {{"trialId", absl::StrCat(proto.trial_id())},
               {"count", proto.count()},
               {"mean", proto.mean()}};
  if (proto.has_low()) json["low"] = proto.low();
  if (proto.has_high()) json["high"] = proto.high();
  return json;
}

Json ParameterTexts(const StudySnapshot& study, const Parameters& parameters) {
  Json json = Json::object();
  const std::vector<std::string> texts =
      FormatValues(study.spec->parameters, parameters);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    json[parameters[i].name] = texts[i];
  }
  return json;
}

Json BestOf(const StudySnapshot& study) {
  const TrialRecord* const best = BestTrial(study);
  if (best == nullptr) return nullptr;
  Json json = {{"trial", ToInt(best->id)},
               {"value", best->final_measurement->value},
               {"parameters", ParameterTexts(study, best->parameters)},
               {"point", nullptr}};
  if (const auto point = PointMeanOf(study, best->id)) {
    json["point"] = DashboardPoint(*point);
  }
  return json;
}

Json CountsOf(const StudySnapshot& study,
              const std::optional<StudyWork>& work) {
  const TrialCounts counts = CountTrials(
      study, work.has_value() ? std::optional(work->running) : std::nullopt);
  Json json = {{"max", nullptr}, {"total", counts.total}};
  if (const auto job = AsJob(study)) json["max"] = job->run().max_trials;
  json["running"] = counts.running;
  json["waiting"] = counts.waiting;
  for (const TrialState state :
       {TrialState::kCompleted, TrialState::kStopped, TrialState::kInfeasible,
        TrialState::kFailed}) {
    json[std::string(ToString(state))] = counts.Of(state);
  }
  return json;
}

int DevicesInUse(const StudySnapshot& study) {
  std::size_t devices = 0;
  for (const TrialId id : study.open) {
    for (const AttemptRecord& attempt : study.trials.Get(id).attempts) {
      if (!IsTerminal(attempt.state)) devices += attempt.devices.size();
    }
  }
  return static_cast<int>(devices);
}

std::string StudyStateText(const StudySnapshot& study) {
  if (const auto job = AsJob(study)) {
    return absl::AsciiStrToUpper(std::string(ToString(job->run().state)));
  }
  return std::string(ToString(ClientStudyOf(study).run().state));
}

void AddRun(JobRef job, const Hindrance& hindrance, Json* json) {
  const JobRun& run = job.run();
  (*json)["wanted"] = absl::AsciiStrToUpper(std::string(ToString(run.wanted)));
  (*json)["waitingFor"] = JobWaitsFor(job, hindrance);
  (*json)["started"] = MillisecondsOrNull(run.started_at);
  (*json)["ended"] = MillisecondsOrNull(run.ended_at);
  (*json)["error"] = run.error_message.empty() && run.wanted != JobWanted::kRun
                         ? run.wanted_reason
                         : PlainEnd(run.error_message);
}

Json SummaryOf(const StudySnapshot& study, const Hindrance& hindrance,
               const std::optional<StudyWork>& work) {
  const MetricGoal& objective = ObjectiveOf(*study.spec);
  const auto job = AsJob(study);
  Json json = {
      {"id", study.name},
      {"name", job ? SplitJobId(study.name).name : DisplayNameOf(study)},
      {"project", ProjectOf(study)},
      {"kind", job ? "job" : "study"},
      {"state", StudyStateText(study)},
      {"wanted", "RUN"},
      {"waitingFor", ""},
      {"algorithm", AlgorithmName(study.spec->algorithm)},
      {"metric", objective.name},
      {"goal", objective.goal == Goal::kMaximize ? "MAXIMIZE" : "MINIMIZE"},
      {"metrics", study.spec->metrics.size()},
      {"best", BestOf(study)},
      {"counts", CountsOf(study, work)},
      {"idleSince",
       MillisecondsOrNull(work.has_value() ? work->idle_since : std::nullopt)},
      {"created", MillisecondsOrNull(study.created_at)},
      {"started", nullptr},
      {"ended", nullptr},
      {"gpus", DevicesInUse(study)},
      {"labels", study.labels},
      {"note", study.note},
      {"error", ""},
      {"spark", BestSoFar(study, kSparkPoints)}};
  if (job.has_value()) {
    AddRun(*job, hindrance, &json);
  } else {
    json["error"] = ClientStudyOf(study).run().state_reason;
  }
  return json;
}

std::string_view ScaleName(ScaleType scale) {
  switch (scale) {
    case ScaleType::kNone:
    case ScaleType::kLinear:
      return "LINEAR";
    case ScaleType::kLog:
      return "LOG";
    case ScaleType::kReverseLog:
      return "REVERSE_LOG";
  }
  return "";
}

// Without a job file, the page knows one parameter of each name only.
bool MayBeEdited(const StudySnapshot& study) {
  const std::vector<ParameterSpec>& space = study.spec->parameters;
  return !space.empty() && !GrowsByTrials(study) &&
         (IsJob(study) || DistinctParameters(space).size() == space.size());
}

Json SpaceOf(const std::vector<ParameterSpec>& space) {
  Json json = Json::array();
  for (const ParameterSpec* spec : DistinctParameters(space)) {
    Json parameter = {{"name", spec->name},
                      {"type", std::string(NameOf(spec->type))},
                      {"scale", std::string(ScaleName(spec->scale))}};
    if (spec->type == ParameterType::kCategorical) {
      parameter["values"] = spec->categorical_values;
    } else if (spec->type == ParameterType::kDiscrete) {
      parameter["values"] = spec->discrete_values;
      parameter["min"] = spec->discrete_values.front();
      parameter["max"] = spec->discrete_values.back();
    } else {
      parameter["min"] = spec->min_value;
      parameter["max"] = spec->max_value;
    }
    parameter["parent"] = nullptr;
    if (const auto& value = spec->default_value) {
      std::visit([&](const auto& one) { parameter["default"] = one; }, *value);
    }
    if (spec->condition.has_value()) {
      const ParameterSpec& parent = space[spec->condition->parent];
      parameter["parent"] = parent.name;
      Json values = Json::array();
      for (const ParameterValue& value : spec->condition->values) {
        values.push_back(FormatValue(parent, value));
      }
      parameter["parentValues"] = std::move(values);
    }
    json.push_back(std::move(parameter));
  }
  return json;
}

Json QueueOf(const StudySnapshot& study) {
  Json queue = Json::array();
  for (const auto& point : study.queued) {
    queue.push_back({{"trial", ToInt(point->trial)},
                     {"parameters", ParameterTexts(study, point->parameters)}});
  }
  return queue;
}

}  // namespace

std::vector<double> BestSoFar(const StudySnapshot& study, std::size_t points) {
  std::vector<std::pair<Timestamp, double>> ends;
  ForEachTrial(study, [&](const TrialBrief& trial) {
    if (!MayBeBest(study, trial)) return;
    ends.emplace_back(trial.ended_at.value_or(trial.created_at),
                      trial.final_measurement->value);
  });
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  const Goal goal = ObjectiveOf(*study.spec).goal;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (!IsWorse(ends[i - 1].second, ends[i].second, goal)) {
      ends[i].second = ends[i - 1].second;
    }
  }
  std::vector<double> best;
  const std::size_t count = std::min(points, ends.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count < 2 ? 0 : i * (ends.size() - 1) / (count - 1);
    best.push_back(ends[at].second);
  }
  return best;
}

std::shared_ptr<const std::string> StudySummaries::Of(
    const std::shared_ptr<const StudySnapshot>& study,
    const Hindrance& hindrance, const std::optional<StudyWork>& work) {
  {
    MutexLock lock(mu_);
    const auto found = made_.find(study->id);
    if (found != made_.end() && found->second.study == study &&
        found->second.hindrance == hindrance && found->second.work == work) {
      return found->second.text;
    }
  }
  auto text = std::make_shared<const std::string>(
      DumpJson(SummaryOf(*study, hindrance, work)));
  MutexLock lock(mu_);
  made_[study->id] = {study, hindrance, work, text};
  return text;
}

void StudySummaries::Forget(const StoreSnapshot& snapshot) {
  MutexLock lock(mu_);
  std::erase_if(made_, [&snapshot](const auto& each) {
    return snapshot.find(each.first) == snapshot.end();
  });
}

std::string DescribeStudy(const StudySnapshot& study,
                          const Hindrance& hindrance, Timestamp now,
                          const std::optional<StudyWork>& work) {
  Json json = SummaryOf(study, hindrance, work);
  json["space"] = SpaceOf(study.spec->parameters);
  json["constraints"] = TextsOf(study.spec->parameter_constraints);
  json["mayBeEdited"] = MayBeEdited(study);
  Json metrics = Json::array();
  for (const MetricGoal& metric : study.spec->metrics) {
    metrics.push_back(
        {{"name", metric.name},
         {"goal", metric.goal == Goal::kMaximize ? "MAXIMIZE" : "MINIMIZE"}});
  }
  json["metricSpecs"] = std::move(metrics);
  Json causes = Json::object();
  for (const auto& [cause, count] : study.ended) {
    causes[std::string(ToString(cause))] = count;
  }
  json["causes"] = std::move(causes);
  json["metricNames"] = MetricNames(study);
  json["seed"] = absl::StrCat(study.seed);  // 64 bits, too many for a double.
  json["queued"] = QueueOf(study);
  json["attributes"] = AttributesOf(*study.metadata);
  json["etaSeconds"] = nullptr;
  if (const auto left = TimeLeft(study, now)) {
    json["etaSeconds"] = left->count();
  }
  json["epochsSaved"] = nullptr;
  if (const auto savings = SavingsOf(study)) {
    json["epochsSaved"] = savings->saved_steps;
  }
  if (const auto job = AsJob(study)) {
    json["parallel"] = MaxParallelTrialsOf(job->run());
    json["spec"] = job->run().spec_json;
    json["codeNotes"] = CodeNotesOf(job->run().spec_json);
    json["outputDir"] = OutputDirOf(job->run());
  }
  return DumpJson(json);
}

}  // namespace vernier
