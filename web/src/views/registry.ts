// Which component shows which place. Tabs of a study are parts of its view.
import type { ComponentType } from 'preact';
import type { StudyTab } from '../router';
import type { StudyInfo } from '../types';
import { CalibrationTab } from './calibration';
import { ContoursTab } from './contours';
import { CurvesTab } from './curves';
import { EventsTab } from './events';
import { ImportanceTab } from './importance';
import { OverviewTab } from './overview';
import { ParallelTab } from './parallel';
import { ParetoTab } from './pareto';
import { QueueTab } from './queue';
import { SlicesTab } from './slices';
import type { TabProps } from './tab_props';
import { TableTab } from './table';
import { TimelineTab } from './timeline';

export interface TabEntry {
  tab: StudyTab;
  text: string;
  component: ComponentType<TabProps>;
  /** Left out where it says nothing; always there if it is in the address. */
  isShown?: (info: StudyInfo) => boolean;
}

export const kTabs: readonly TabEntry[] = [
  { tab: 'overview', text: 'Overview', component: OverviewTab },
  { tab: 'table', text: 'Trials', component: TableTab },
  { tab: 'parallel', text: 'Parallel', component: ParallelTab },
  { tab: 'curves', text: 'Curves', component: CurvesTab, isShown: (info) => info.metricNames.length > 0 },
  { tab: 'importance', text: 'Importance', component: ImportanceTab },
  { tab: 'slices', text: 'Slices', component: SlicesTab },
  { tab: 'contours', text: 'Contours', component: ContoursTab, isShown: (info) => info.space.length > 1 },
  { tab: 'calibration', text: 'Calibration', component: CalibrationTab },
  { tab: 'pareto', text: 'Pareto', component: ParetoTab, isShown: (info) => info.metrics > 1 },
  { tab: 'timeline', text: 'Timeline', component: TimelineTab },
  { tab: 'queue', text: 'Queue', component: QueueTab, isShown: (info) => info.kind === 'job' },
  { tab: 'events', text: 'Events', component: EventsTab },
];
