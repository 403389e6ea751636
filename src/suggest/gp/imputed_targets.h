#ifndef VERNIER_SUGGEST_GP_IMPUTED_TARGETS_H_
#define VERNIER_SUGGEST_GP_IMPUTED_TARGETS_H_

#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/training_data.h"

namespace vernier {

/// Imputes the targets of the censored rows of `data`, of trainings that were
/// stopped early, with `gp`, a model of the others. They were stopped because
/// they would not have become the best, so each gets the mean and, as known
/// noise, the variance that `gp` gives a target below the best of the others.
void ImputeCensored(const GaussianProcess& gp, TrainingData* data);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_IMPUTED_TARGETS_H_
