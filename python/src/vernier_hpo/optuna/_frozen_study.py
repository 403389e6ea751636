"""A study as it was at one moment."""

from __future__ import annotations

from ._record import StudyRecord
from ._states import StudyDirection


class FrozenStudy:
    """What a storage says of a study, but for its trials."""

    def __init__(self, record: StudyRecord) -> None:
        self.study_name = record.name
        self.directions = list(record.directions)
        self.user_attrs = record.attributes("user")
        self.system_attrs = record.attributes("system")
        self._study_id = record.id

    @property
    def direction(self) -> StudyDirection:
        """Which values are better; RuntimeError if there are several objectives."""
        if len(self.directions) > 1:
            raise RuntimeError("the study has several objectives: use directions")
        return self.directions[0]
