#include "faces/katib/katib_algorithm.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/shown_text.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr int kMostSettings = 100;
constexpr std::size_t kLongestExperimentName = 1024;

/// What the value of a setting must be.
enum class SettingRule {
  kWhole,          ///< >= 0.
  kPositiveWhole,  ///< > 0.
  kNumber,         ///< >= 0.
  kPositiveNumber,
  kPart,  ///< > 0, < 1.
  kWord,  ///< One of the words of the setting.
};

constexpr std::string_view kEstimators[] = {"GP", "RF", "ET", "GBRT"};
constexpr std::string_view kAcquisitions[] = {"gp_hedge", "LCB",  "EI",
                                              "PI",       "EIps", "PIps"};
constexpr std::string_view kOptimizers[] = {"auto", "sampling", "lbfgs"};
constexpr std::string_view kRestarts[] = {"ipop", "None", "none"};

/// A setting of one of Katib's algorithms, and the end of the message about a
/// wrong value, in Katib's spelling. That of a word comes after the value.
struct SettingLaw {
  std::string_view name;
  SettingRule rule;
  std::string_view message;
  std::span<const std::string_view> words = {};
};

constexpr std::string_view kGreat = " should be great or equal than zero";
constexpr std::string_view kGreate = " should be greate or equal than zero";
constexpr std::string_view kAboveZero = " should be great than zero";
constexpr std::string_view kNotInBayes =
    " is not supported in Bayesian optimization";

constexpr SettingLaw kSeedOnly[] = {
    {"random_state", SettingRule::kWhole, kGreat}};
// The settings of both of Katib's services that have this algorithm.
constexpr SettingLaw kTpe[] = {
    {"random_state", SettingRule::kWhole, kGreat},
    {"gamma", SettingRule::kPart, " should be in the range of (0, 1)"},
    {"prior_weight", SettingRule::kPositiveNumber, kAboveZero},
    {"n_EI_candidates", SettingRule::kPositiveWhole, kAboveZero},
    {"n_startup_trials", SettingRule::kWhole, kGreate},
    {"n_ei_candidates", SettingRule::kWhole, kGreate}};
constexpr SettingLaw kMultivariateTpe[] = {
    {"random_state", SettingRule::kWhole, kGreate},
    {"n_startup_trials", SettingRule::kWhole, kGreate},
    {"n_ei_candidates", SettingRule::kWhole, kGreate}};
constexpr SettingLaw kGoptuna[] = {
    {"random_state", SettingRule::kWhole, kGreate},
    {"sigma", SettingRule::kNumber, kGreate},
    {"restart_strategy", SettingRule::kWord,
     " is not supported in CMAES optimization", kRestarts}};
constexpr SettingLaw kBayes[] = {
    {"random_state", SettingRule::kWhole, kGreat},
    {"n_initial_points", SettingRule::kWhole, kGreat},
    {"base_estimator", SettingRule::kWord, kNotInBayes, kEstimators},
    {"acq_func", SettingRule::kWord, kNotInBayes, kAcquisitions},
    {"acq_optimizer", SettingRule::kWord, kNotInBayes, kOptimizers}};

constexpr std::string_view kCmaEs = "cmaes";

/// One of Katib's algorithms.
struct AlgorithmLaw {
  std::string_view name;
  Algorithm algorithm;
  std::span<const SettingLaw> settings;
};
constexpr AlgorithmLaw kAlgorithms[] = {
    {"vernier", Algorithm::kDefault, kSeedOnly},
    {"bayesianoptimization", Algorithm::kDefault, kBayes},
    {"tpe", Algorithm::kDefault, kTpe},
    {"multivariate-tpe", Algorithm::kDefault, kMultivariateTpe},
    {kCmaEs, Algorithm::kDefault, kGoptuna},
    {"random", Algorithm::kRandomSearch, kSeedOnly},
    {"grid", Algorithm::kGridSearch, kSeedOnly},
    {"sobol", Algorithm::kQuasiRandomSearch, kGoptuna},
};

template <typename List>
auto* FindNamed(const List& list, std::string_view name) {
  const auto found =
      std::find_if(std::begin(list), std::end(list),
                   [name](const auto& each) { return each.name == name; });
  return found == std::end(list) ? nullptr : &*found;
}

std::string ShownName(std::string_view name) { return ShowText(name, 200); }

// The end of these messages is what Python says, since users look them up.
absl::Status Unreadable(std::string_view name, std::string_view value,
                        std::string_view python) {
  return absl::InvalidArgumentError(absl::StrCat(
      "failed to validate ", ShownName(name), "(", ShownName(value),
      "): ", std::string(python), "'", ShownName(value), "'"));
}

absl::StatusOr<bool> IsRight(const SettingLaw& law,
                             const katib::AlgorithmSetting& setting) {
  if (law.rule == SettingRule::kWord) {
    return std::find(law.words.begin(), law.words.end(), setting.value()) !=
           law.words.end();
  }
  if (law.rule == SettingRule::kWhole ||
      law.rule == SettingRule::kPositiveWhole) {
    std::int64_t whole = 0;
    if (!absl::SimpleAtoi(setting.value(), &whole)) {
      return NotWholeKatibSetting(setting.name(), setting.value());
    }
    return law.rule == SettingRule::kWhole ? whole >= 0 : whole > 0;
  }
  double number = 0;
  if (!absl::SimpleAtod(setting.value(), &number)) {
    return Unreadable(setting.name(), setting.value(),
                      "could not convert string to float: ");
  }
  if (law.rule == SettingRule::kNumber) return number >= 0;
  return number > 0 && (law.rule != SettingRule::kPart || number < 1);
}

absl::Status CheckSetting(const AlgorithmLaw& algorithm,
                          const katib::AlgorithmSetting& setting) {
  const SettingLaw* const law = FindNamed(algorithm.settings, setting.name());
  if (law == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown setting ", ShownName(setting.name()),
                     " for algorithm ", std::string(algorithm.name)));
  }
  VERNIER_ASSIGN_OR_RETURN(const bool is_right, IsRight(*law, setting));
  if (is_right) return absl::OkStatus();
  std::string message(law->name);
  if (law->rule == SettingRule::kWord) {
    absl::StrAppend(&message, " ", ShownName(setting.value()));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(message, std::string(law->message)));
}

bool IsNumber(const katib::ParameterSpec& spec) {
  return spec.parameter_type() == katib::DOUBLE ||
         spec.parameter_type() == katib::INT;
}

}  // namespace

absl::Status NotWholeKatibSetting(std::string_view name,
                                  std::string_view value) {
  return Unreadable(name, value, "invalid literal for int() with base 10: ");
}

absl::StatusOr<KatibSearch> ReadKatibSearch(
    const katib::Experiment& experiment) {
  const katib::AlgorithmSpec& spec = experiment.spec().algorithm();
  const AlgorithmLaw* const law = FindNamed(kAlgorithms, spec.algorithm_name());
  if (law == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown algorithm name ", ShownName(spec.algorithm_name())));
  }
  if (spec.algorithm_settings_size() > kMostSettings) {
    return absl::InvalidArgumentError(
        absl::StrCat("an algorithm may have ", kMostSettings,
                     " settings: ", spec.algorithm_settings_size()));
  }
  if (experiment.name().size() > kLongestExperimentName) {
    return absl::InvalidArgumentError(
        absl::StrCat("the name of an experiment may have ",
                     kLongestExperimentName, " bytes"));
  }
  KatibSearch search{law->algorithm, ExtendCrc32c(0, experiment.name())};
  for (const katib::AlgorithmSetting& setting : spec.algorithm_settings()) {
    VERNIER_RETURN_IF_ERROR(CheckSetting(*law, setting));
    std::int64_t seed = 0;
    if (setting.name() == "random_state" &&
        absl::SimpleAtoi(setting.value(), &seed)) {
      search.seed = static_cast<std::uint64_t>(seed);
    }
  }
  return search;
}

absl::Status CheckKatibExperiment(const katib::Experiment& experiment) {
  VERNIER_ASSIGN_OR_RETURN(const KatibSearch search,
                           ReadKatibSearch(experiment));
  const auto& specs = experiment.spec().parameter_specs().parameters();
  if (experiment.spec().algorithm().algorithm_name() == kCmaEs &&
      std::count_if(specs.begin(), specs.end(), &IsNumber) < 2) {
    return absl::InvalidArgumentError(
        "cmaes only supports two or more dimensional continuous search space.");
  }
  VERNIER_ASSIGN_OR_RETURN(const KatibSpace space, KatibSpace::Read(specs));
  if (search.algorithm != Algorithm::kGridSearch) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(space.CheckIsGrid());
  const std::int64_t most = experiment.spec().max_trial_count();
  const std::int64_t all = space.NumConfigurations();
  if (most <= all) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "Max Trial Count: ", most, " > all possible search combinations: ", all));
}

}  // namespace vernier
