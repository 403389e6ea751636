from vernier_hpo.integration.optuna import VernierSampler

__all__ = ["VernierSampler"]
