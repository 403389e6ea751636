#ifndef VERNIER_TESTS_FACES_KATIB_EXPERIMENT_H_
#define VERNIER_TESTS_FACES_KATIB_EXPERIMENT_H_

#include <katib/v1beta1/katib.pb.h>

#include <string>
#include <utility>
#include <vector>

#include "faces/katib/katib_space.h"

namespace vernier {

/// A number with bounds and perhaps a step and a distribution.
inline katib::ParameterSpec KatibNumber(
    const std::string& name, katib::ParameterType type, const std::string& min,
    const std::string& max, const std::string& step = "",
    katib::Distribution distribution = katib::DISTRIBUTION_UNSPECIFIED) {
  katib::ParameterSpec spec;
  spec.set_name(name);
  spec.set_parameter_type(type);
  katib::FeasibleSpace* const range = spec.mutable_feasible_space();
  range->set_min(min);
  range->set_max(max);
  range->set_step(step);
  range->set_distribution(distribution);
  return spec;
}

/// A list of texts.
inline katib::ParameterSpec KatibList(const std::string& name,
                                      katib::ParameterType type,
                                      const std::vector<std::string>& values) {
  katib::ParameterSpec spec;
  spec.set_name(name);
  spec.set_parameter_type(type);
  for (const std::string& value : values) {
    spec.mutable_feasible_space()->add_list(value);
  }
  return spec;
}

/// An experiment that minimizes "loss".
inline katib::Experiment KatibExperiment(
    const std::string& algorithm,
    const std::vector<katib::ParameterSpec>& parameters,
    const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  katib::Experiment experiment;
  experiment.set_name("digits");
  katib::ExperimentSpec* const spec = experiment.mutable_spec();
  spec->mutable_objective()->set_type(katib::MINIMIZE);
  spec->mutable_objective()->set_objective_metric_name("loss");
  spec->mutable_algorithm()->set_algorithm_name(algorithm);
  for (const auto& [name, value] : settings) {
    katib::AlgorithmSetting* const setting =
        spec->mutable_algorithm()->add_algorithm_settings();
    setting->set_name(name);
    setting->set_value(value);
  }
  for (const katib::ParameterSpec& parameter : parameters) {
    *spec->mutable_parameter_specs()->add_parameters() = parameter;
  }
  return experiment;
}

/// A trial; without a value if `loss` is empty.
inline katib::Trial KatibTrial(
    const std::string& name, katib::TrialStatus::TrialConditionType condition,
    const std::vector<std::pair<std::string, std::string>>& values,
    const std::string& loss = "") {
  katib::Trial trial;
  trial.set_name(name);
  for (const auto& [parameter, value] : values) {
    katib::ParameterAssignment* const each =
        trial.mutable_spec()
            ->mutable_parameter_assignments()
            ->add_assignments();
    each->set_name(parameter);
    each->set_value(value);
  }
  trial.mutable_spec()->mutable_objective()->set_objective_metric_name("loss");
  trial.mutable_status()->set_condition(condition);
  if (!loss.empty()) {
    katib::Metric* const metric =
        trial.mutable_status()->mutable_observation()->add_metrics();
    metric->set_name("loss");
    metric->set_value(loss);
  }
  return trial;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_KATIB_EXPERIMENT_H_
