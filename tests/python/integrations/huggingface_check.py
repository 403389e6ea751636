"""The callback with the real Trainer of transformers, and a model of a few weights."""

import tempfile
import unittest

import torch
import transformers

from callback_case import CallbackCase
from vernier_hpo.integration.huggingface import VernierCallback

transformers.logging.set_verbosity_error()


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 1)

    def forward(self, x, labels):
        found = self.layer(x)
        return {"loss": torch.nn.functional.mse_loss(found, labels), "logits": found}


def rows(offset):
    X = torch.randn(32, 3, generator=torch.Generator().manual_seed(0))
    return [{"x": row, "labels": row[:1] + offset} for row in X]


class HuggingFaceTest(CallbackCase):
    def callback(self, trial, monitor=None):
        return VernierCallback(trial, monitor or "loss")

    def train(self, callback, is_bad):
        with tempfile.TemporaryDirectory() as folder:
            trainer = transformers.Trainer(
                Model(),
                transformers.TrainingArguments(
                    folder, num_train_epochs=self.STEPS, evaluation_strategy="epoch",
                    save_strategy="no", report_to=[], disable_tqdm=True, use_cpu=True,
                    learning_rate=1e-9 if is_bad else 0.05, log_level="error",
                    logging_strategy="no"),
                train_dataset=rows(0), eval_dataset=rows(1000 if is_bad else 0),
                callbacks=[callback])
            trainer.remove_callback(transformers.PrinterCallback)
            trainer.train()

    def test_callback(self):
        self.run_callback_cases()


if __name__ == "__main__":
    unittest.main()
