"""The tutorial for users of W&B sweeps. Its sweep needs W&B's server; the program that
it tunes runs without one."""

from tutorial_case import TutorialCase


class WandbTest(TutorialCase):
    def test_both_programs_run(self):
        printed = self.run_page("from-wandb.md", "wandb")
        self.assertIn("Best trials of sweep", "".join(printed))
