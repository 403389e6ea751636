import type { Study } from '../store/study';
import type { StudyInfo } from '../types';

/** What each tab of a study gets: the study with its trials loaded. */
export interface TabProps {
  study: Study;
  info: StudyInfo;
}
