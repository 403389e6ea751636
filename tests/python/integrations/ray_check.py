"""The tutorial for users of Ray Tune, with the real Ray."""

from tutorial_case import TutorialCase


class RayTest(TutorialCase):
    def test_both_sides_find_the_same_place(self):
        theirs, ours, searched = [
            each for each in self.run_page("from-ray-tune.md", "ray") if each]
        self.assertIn("'optimizer': 'adam'", theirs.splitlines()[-1])
        self.assertTrue(theirs.endswith(" 20\n"), theirs)
        self.assertIn("'optimizer': 'adam'", ours)
        self.assertTrue(ours.endswith(" 20\n"), ours)
        self.assertIn("'optimizer': 'adam'", searched.splitlines()[-1])
        self.assertTrue(searched.endswith(" 12\n"), searched)
