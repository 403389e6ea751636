#include "suggest/algorithms/avoided_places.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxHallucinated = 256;  // The most recent.

}  // namespace

AvoidedPlaces::AvoidedPlaces(const StudyView& view,
                             const SearchSpaceEncoding& encoding)
    : encoding_(encoding), num_given_up_(view.given_up.size()) {
  // A point that was given up has no value, so without this it would stay the
  // best to try next.
  for (const auto* list : {&view.given_up, &view.pending}) {
    for (const Parameters& parameters : *list) Add(parameters);
  }
}

AvoidedPlaces::~AvoidedPlaces() {
  for (GaussianProcess* process : processes_) process->ForgetHallucinated();
}

void AvoidedPlaces::Add(const Parameters& parameters) {
  rows_.push_back(encoding_.Encode(parameters));
}

void AvoidedPlaces::Condition(const std::vector<GaussianProcess*>& processes) {
  processes_ = processes;
  std::size_t first = num_conditioned_;
  if (rows_.size() > kMaxHallucinated) {
    for (GaussianProcess* process : processes_) process->ForgetHallucinated();
    first = rows_.size() - kMaxHallucinated;
  }
  for (std::size_t i = first; i < rows_.size(); ++i) {
    for (GaussianProcess* process : processes_) process->Hallucinate(rows_[i]);
  }
  num_conditioned_ = rows_.size();
}

}  // namespace vernier
