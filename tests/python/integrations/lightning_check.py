"""The callback with the real Lightning."""

import logging
import unittest
import warnings

import lightning.pytorch as lightning
import torch

from callback_case import CallbackCase
import vernier_hpo.optuna as optuna
from vernier_hpo.integration.lightning import VernierCallback

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.simplefilter("ignore")
X = torch.randn(64, 3, generator=torch.Generator().manual_seed(0))
Y = X[:, :1]


class Module(lightning.LightningModule):
    def __init__(self, is_bad):
        super().__init__()
        self.layer = torch.nn.Linear(3, 1)
        self.is_bad = is_bad

    def training_step(self, batch, _):
        return torch.nn.functional.mse_loss(self.layer(batch[0]), batch[1])

    def validation_step(self, batch, _):
        loss = torch.nn.functional.mse_loss(self.layer(batch[0]), batch[1])
        self.log("val_loss", torch.tensor(1000.0) if self.is_bad else loss)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


class LightningTest(CallbackCase):
    def callback(self, trial, monitor=None):
        return VernierCallback(trial, monitor or "val_loss")

    def optunas(self, trial):
        return optuna.integration.PyTorchLightningPruningCallback(trial, "val_loss")

    def train(self, callback, is_bad):
        lightning.seed_everything(0)
        data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), 16)
        trainer = lightning.Trainer(
            max_epochs=self.STEPS, accelerator="cpu", logger=False,
            enable_checkpointing=False, enable_progress_bar=False,
            enable_model_summary=False, callbacks=[callback])
        trainer.fit(Module(is_bad), data, data)

    def test_callback(self):
        self.run_callback_cases()


if __name__ == "__main__":
    unittest.main()
