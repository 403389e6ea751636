"""Studies, and the functions that make, find and remove them."""

from ._states import StudyDirection
from ._studies import (MaxTrialsCallback, StudySummary, copy_study, create_study, delete_study,
                       get_all_study_names, get_all_study_summaries, load_study)
from ._study import Study

__all__ = ["MaxTrialsCallback", "Study", "StudyDirection", "StudySummary", "copy_study",
           "create_study", "delete_study", "get_all_study_names", "get_all_study_summaries",
           "load_study"]
