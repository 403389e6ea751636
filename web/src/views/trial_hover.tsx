// What a plot says of a trial under the pointer.
import type { Hover } from '../plots/plot';
import { formatPath, navigate } from '../router';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { cellText, columnTitle, parametersOf } from './columns_of';

const kParameters = 8;

export function openTrial(study: string, trial: number): void {
  navigate(formatPath({ view: 'trial', study, trial }));
}

export function trialHover(study: Study, info: StudyInfo, row: number, x: number, y: number): Hover {
  const { table } = study;
  const id = table.idOf(row);
  const state = table.stateOf(row);
  const value = cellText(table, 'value', row);
  const cause = cellText(table, 'cause', row);
  const parameters = parametersOf(table, info, row);
  const result = value ? `${columnTitle('value', info)} ${value}` : '';
  const ending = state === 'failed' && cause ? `failed: ${cause}` : state;
  return {
    x,
    y,
    key: row,
    text: [`Trial ${id}`, ending, result, ...parameters.map(([name, text]) => `${name} ${text}`)].filter(Boolean).join(', '),
    pick: () => openTrial(study.id, id),
    content: (
      <>
        <strong>Trial {id}</strong> <span class={state === 'failed' ? 'bad' : 'muted'}>{ending}</span>
        <dl>
          {value && (
            <>
              <dt>{columnTitle('value', info)}</dt>
              <dd>{value}</dd>
            </>
          )}
          {parameters.slice(0, kParameters).map(([name, text]) => (
            <>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
      </>
    ),
  };
}
