#include "suggest/gp/result_digest.h"

#include <bit>
#include <string>
#include <variant>

namespace vernier {
namespace {

std::uint64_t Mix(std::uint64_t digest, std::uint64_t word) {
  // The finalizer of splitmix64 (Steele et al. 2014).
  digest += 0x9e3779b97f4a7c15 + word;
  digest = (digest ^ (digest >> 30)) * 0xbf58476d1ce4e5b9;
  digest = (digest ^ (digest >> 27)) * 0x94d049bb133111eb;
  return digest ^ (digest >> 31);
}

std::uint64_t Mix(std::uint64_t digest, double number) {
  return Mix(digest, std::bit_cast<std::uint64_t>(number));
}

std::uint64_t Mix(std::uint64_t digest, const std::string& text) {
  for (const char c : text) {
    digest =
        Mix(digest, static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  return Mix(digest, static_cast<std::uint64_t>(text.size()));
}

std::uint64_t Mix(std::uint64_t digest, const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return Mix(digest, *number);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return Mix(digest, static_cast<std::uint64_t>(*integer));
  }
  return Mix(digest, std::get<std::string>(value));
}

std::uint64_t DigestSpace(const StudyView& view) {
  std::uint64_t digest = Mix(view.seed, static_cast<std::uint64_t>(view.goal));
  digest = Mix(digest, static_cast<std::uint64_t>(view.space.size()));
  for (const ParameterSpec& spec : view.space) {
    digest = Mix(digest, spec.name);
    digest = Mix(Mix(digest, spec.min_value), spec.max_value);
    digest =
        Mix(digest, static_cast<std::uint64_t>(spec.categorical_values.size() +
                                               spec.discrete_values.size()));
  }
  if (IsRepeating(view.repeats)) {
    digest = Mix(digest, static_cast<std::uint64_t>(view.repeats.policy));
  }
  if (view.half_band.has_value()) digest = Mix(digest, *view.half_band);
  return digest;
}

}  // namespace

std::vector<std::uint64_t> DigestResults(const StudyView& view) {
  std::uint64_t digest = DigestSpace(view);
  std::vector<std::uint64_t> digests = {digest};
  digests.reserve(view.completed.size() + 1);
  for (const Observation& observation : view.completed) {
    for (const NamedValue& parameter : observation.parameters) {
      digest = Mix(Mix(digest, parameter.name), parameter.value);
    }
    digest = Mix(digest, observation.objective.has_value()
                             ? Mix(1, *observation.objective)
                             : 2);
    digest = Mix(digest, std::uint64_t{observation.is_stopped_early});
    digest = Mix(digest, observation.variance.value_or(-1));
    if (observation.least_useful.has_value()) {
      digest = Mix(digest, *observation.least_useful);
    }
    if (observation.estimate.has_value()) {
      digest = Mix(digest, observation.estimate->mean);
      digest = Mix(digest, observation.estimate->variance);
      for (const double error : observation.estimate->shared_errors) {
        digest = Mix(digest, error);
      }
    }
    digests.push_back(digest);
  }
  return digests;
}

std::uint64_t DigestMerits(const StudyView& view,
                           std::span<const double> merits) {
  std::uint64_t digest = DigestSpace(view);
  for (const double merit : merits) digest = Mix(digest, merit);
  return digest;
}

}  // namespace vernier
