#include "faces/messages/insights_message.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "faces/messages/proto_time.h"
#include "faces/messages/trial_message.h"
#include "study/search_space.h"
#include "study/trial_end.h"
#include "suggest/insights/failure_boundary.h"
#include "suggest/insights/insights.h"
#include "trials/engine/failure_report.h"
#include "trials/results/front_growth.h"
#include "trials/results/point_means.h"
#include "trials/results/trade_offs.h"

namespace vernier {
namespace {

constexpr std::size_t kMostPoints = 20;

void SetMetric(const StudySpec& spec, std::size_t number, v1::Insights* to) {
  if (spec.parameters.empty()) return;  // Nothing is measured.
  const MetricGoal& metric =
      number == 0 ? ObjectiveOf(spec) : spec.metrics[number];
  to->set_metric(metric.name);
  to->set_goal(metric.goal == Goal::kMinimize ? "MINIMIZE" : "MAXIMIZE");
}

void SetShares(const Insights& insights, v1::Insights* to) {
  for (const Importance& from : insights.importance) {
    v1::Insights::Importance* importance = to->add_importance();
    importance->set_parameter(from.parameter);
    importance->set_share(from.share);
    importance->set_low(from.low);
    importance->set_high(from.high);
  }
  for (const Interaction& from : insights.interactions) {
    v1::Insights::Interaction* interaction = to->add_interactions();
    interaction->set_first(from.first);
    interaction->set_second(from.second);
    interaction->set_share(from.share);
  }
}

void SetSlice(const Slice& from, v1::Insights::Slice* to) {
  to->set_parameter(from.axis.parameter);
  for (const double x : from.axis.x) to->add_x(x);
  for (const std::string& label : from.axis.labels) to->add_labels(label);
  for (const Prediction& prediction : from.predictions) {
    to->add_mean(prediction.mean);
    to->add_low(prediction.low);
    to->add_high(prediction.high);
  }
}

void SetContour(const Contour& from, v1::Insights::Contour* to) {
  to->set_first(from.first.parameter);
  to->set_second(from.second.parameter);
  for (const double x : from.first.x) to->add_x(x);
  for (const double y : from.second.x) to->add_y(y);
  for (const std::string& label : from.first.labels) to->add_x_labels(label);
  for (const std::string& label : from.second.labels) to->add_y_labels(label);
  for (const Prediction& prediction : from.predictions) {
    to->add_mean(prediction.mean);
    // Each is halved first, because the difference of huge numbers overflows.
    to->add_deviation(prediction.high / 2 - prediction.low / 2);
  }
}

void SetFront(const StudySnapshot& study, const StudyInsights& from,
              v1::Insights* to) {
  for (const TradeOff& one : from.trade_offs) {
    to->add_trade_offs(DescribeTradeOff(*study.spec, one));
  }
  for (const FrontStep& step : from.growth) {
    to->mutable_front_growth()->add_trials(ToInt(step.trial));
    to->mutable_front_growth()->add_hypervolume(step.hypervolume);
  }
}

const char* NameOf(FailureBoundary::Quantity quantity) {
  switch (quantity) {
    case FailureBoundary::Quantity::kValue:
      return "VALUE";
    case FailureBoundary::Quantity::kProduct:
      return "PRODUCT";
    case FailureBoundary::Quantity::kRatio:
      return "RATIO";
  }
  return "";
}

const char* NameOf(FailureBoundary::Relation relation) {
  switch (relation) {
    case FailureBoundary::Relation::kAbove:
      return "ABOVE";
    case FailureBoundary::Relation::kBelow:
      return "BELOW";
    case FailureBoundary::Relation::kEqual:
      return "EQUAL";
  }
  return "";
}

void SetBoundary(const FailureBoundary& from,
                 v1::Insights::Failures::Boundary* to) {
  to->add_parameters(from.first);
  if (from.quantity != FailureBoundary::Quantity::kValue) {
    to->add_parameters(from.second);
  }
  to->set_quantity(NameOf(from.quantity));
  to->set_relation(NameOf(from.relation));
  to->set_threshold(from.threshold);
  to->set_category(from.category);
  to->set_inside_count(static_cast<std::int32_t>(from.inside));
  to->set_inside_failed_count(static_cast<std::int32_t>(from.inside_failed));
  to->set_outside_count(static_cast<std::int32_t>(from.outside));
  to->set_outside_failed_count(static_cast<std::int32_t>(from.outside_failed));
}

void SetFailures(const FailureReport& from, v1::Insights::Failures* to) {
  to->set_kind(std::string(ToString(from.kind)));
  to->set_count(static_cast<std::int32_t>(from.count));
  to->set_share(static_cast<double>(from.count) /
                static_cast<double>(from.observed));
  if (from.time_to_death.has_value()) {
    *to->mutable_median_time_to_death() = ToProto(*from.time_to_death);
  }
  if (from.time_of_success.has_value()) {
    *to->mutable_median_time_of_success() = ToProto(*from.time_of_success);
  }
  if (from.boundary.has_value()) {
    SetBoundary(*from.boundary, to->mutable_boundary());
  }
  to->set_text(DescribeFailures(from));
}

void SetCalibration(const Calibration& from,
                    const std::vector<TrialId>& observed,
                    v1::Insights::Calibration* to) {
  for (const Calibration::Point& point : from.points) {
    to->add_trials(ToInt(observed[point.completed]));
    to->add_observed(point.observed);
    to->add_mean(point.expected.mean);
    to->add_low(point.expected.low);
    to->add_high(point.expected.high);
  }
  to->set_coverage(from.coverage);
  to->set_log_score(from.log_score);
}

void SetBest(const StudySnapshot& study, const Insights& insights,
             v1::Insights::PredictedBest* to) {
  const std::vector<std::string> texts =
      FormatValues(study.spec->parameters, insights.best);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    v1::Trial::Parameter* parameter = to->add_parameters();
    parameter->set_name(insights.best[i].name);
    parameter->set_value(texts[i]);
    parameter->set_is_text(
        std::holds_alternative<std::string>(insights.best[i].value));
  }
  *to->mutable_prediction() = ToProto(insights.best_prediction);
}

}  // namespace

v1::Insights ToProto(const StudySnapshot& study,
                     const StudyInsights& insights) {
  const Insights& from = insights.insights;
  v1::Insights to;
  SetMetric(*study.spec, insights.metric, &to);
  SetFront(study, insights, &to);
  to.set_observation_count(from.num_observations);
  to.set_has_model(from.reason.empty());
  to.set_reason(from.reason);
  for (const PointMean& point : RepeatedPoints(study, kMostPoints)) {
    *to.add_points() = ToProto(point);
  }
  for (const FailureReport& report : insights.failures) {
    SetFailures(report, to.add_failures());
  }
  if (!from.reason.empty()) return to;
  SetShares(from, &to);
  for (const Slice& slice : from.slices) SetSlice(slice, to.add_slices());
  for (const Contour& contour : from.contours) {
    SetContour(contour, to.add_contours());
  }
  SetCalibration(from.calibration, insights.observed, to.mutable_calibration());
  SetBest(study, from, to.mutable_predicted_best());
  to.set_expected_gain(from.expected_gain);
  to.set_improvement_probability(from.improvement_probability);
  for (const Advice& advice : from.advice) {
    v1::Insights::Advice* added = to.add_advice();
    added->set_parameter(advice.parameter);
    added->set_kind(AdviceName(advice.kind));
    added->set_text(advice.text);
  }
  return to;
}

}  // namespace vernier
