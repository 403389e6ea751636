#include "trials/results/end_values.h"

#include "trials/results/final_values.h"

namespace vernier {

bool MayBeBest(const StudySnapshot& study, const TrialBrief& trial) {
  return trial.state == TrialState::kCompleted && HasEndValue(trial) &&
         (study.spec->constraints.empty() ||
          MeetsConstraints(*study.spec, *study.trials.Share(trial.id)));
}

}  // namespace vernier
