// All trials as a table: virtual rows over the columns of numbers.
import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { exactNumber, formatNumber } from '../format';
import { keptPieces } from '../names';
import { goodness, orderBy } from '../order';
import { palette, valueColours } from '../plots/colour';
import { download, formatCsv } from '../plots/export';
import { formatPath, route, setQuery } from '../router';
import { selection, toggleSelected } from '../store/filter_state';
import { remember, remembered } from '../store/preferences';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { Button } from '../ui/button';
import { useShortcuts } from '../ui/keys';
import { Menu } from '../ui/menu';
import { Name } from '../ui/name';
import { StateMark } from '../ui/state_mark';
import { useRem, useVirtual } from '../ui/virtual';
import { cellText, columnTitle, isTimeColumn } from './columns_of';
import { useRoomBelow } from './curves';
import type { TabProps } from './tab_props';
import { openTrial } from './trial_hover';

const kCachedRows = 2000;
const kRowRem = 2.15;
const kHeadRem = 2.46;
const kHiddenAtFirst = ['method', 'mean', 'attempts', 'ended', 'step', 'cause'];

/** Pure: which columns there are, in order. */
export function tableColumns(info: StudyInfo, has: (column: string) => boolean): string[] {
  const results = info.metrics > 1 ? info.metricSpecs.map(({ name }) => 'm:' + name) : ['value'];
  const all = ['id', 'state', ...results, ...info.space.map(({ name }) => 'p:' + name), 'step', 'seconds', 'started', 'ended', 'attempts', 'cause', 'method', 'mean'];
  return all.filter((column) => column === 'seconds' || has(column));
}

const kWidths: Record<string, number> = { id: 5.5, state: 11, value: 9, seconds: 8, started: 12.5, ended: 12.5, cause: 10, method: 14, step: 6, attempts: 6, mean: 8 };

function widthOf(column: string, title: string): number {
  return kWidths[column] ?? Math.min(16, Math.max(8, 3 + title.length * 0.62));
}

interface CachedRow {
  index: number;
  isPicked: boolean;
  isCurrent: boolean;
  node: VNode;
}

/** The texts of one column, its array looked up once. */
function cellReader(study: Study, column: string): { text: (row: number) => string; isNumber: boolean } {
  const { table } = study;
  if (!isNumber(study, column) || column === 'seconds') return { text: (row) => cellText(table, column, row), isNumber: isNumber(study, column) };
  const values = table.column(column);
  const format = column.startsWith('p:') ? exactNumber : formatNumber;
  return { text: (row) => format(values[row]!), isNumber: true };
}

function isNumber(study: Study, column: string): boolean {
  return !study.table.labels(column) && !isTimeColumn(column);
}

export function TableTab({ study, info }: TabProps) {
  const { table } = study;
  const version = study.version.value;
  const mask = study.mask.value;
  const picked = selection.value;
  const { dark } = palette.value;
  const sort = route.value.query.sort || '-id';
  const isDown = sort.startsWith('-');
  const sortColumn = sort.replace(/^-/, '');
  const [hidden, setHidden] = useState<readonly string[]>(() => remembered('table.hidden')?.split('~') ?? kHiddenAtFirst);
  const all = useMemo(() => tableColumns(info, (column) => table.has(column)), [info.space, info.metrics, version > 0]);
  const columns = all.filter((column) => column === 'id' || !hidden.includes(column));

  const kept = useMemo(() => keptPieces(columns.map((column) => columnTitle(column, info))), [columns.join('~'), info.metric]);

  const order = useMemo(() => {
    const rows = new Int32Array(mask.count);
    let n = 0;
    for (let row = 0; row < table.rows; ++row) if (!mask.bits || mask.bits[row]) rows[n++] = row;
    const values = table.numbers(sortColumn);
    return values ? orderBy(values, rows, isDown) : rows;
  }, [version, mask, sortColumn, isDown]);
  const good = useMemo(() => goodness(table.column('value'), info.goal === 'MAXIMIZE'), [version, info.goal]);
  const ramp = useMemo(() => valueColours(32, dark), [dark]);
  const best = info.best?.trial ?? 0;

  const box = useRef<HTMLDivElement>(null);
  const rowHeight = useRem(kRowRem);
  const headHeight = useRem(kHeadRem);
  const height = useRoomBelow(330);
  const { first, end } = useVirtual(box, order.length, rowHeight, { isWindow: false, head: headHeight });
  // The trial that the keyboard is on; its place changes as trials come and go.
  const [currentId, setCurrentId] = useState(0);
  const current = useMemo(() => (currentId ? order.indexOf(table.rowOf(currentId)) : -1), [order, currentId]);
  const move = (to: number) => {
    if (!order.length) return;
    const next = Math.min(order.length - 1, Math.max(0, to));
    setCurrentId(table.idOf(order[next]!));
    const element = box.current!;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight + headHeight > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeight + headHeight - element.clientHeight + 4;
    requestAnimationFrame(() => element.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus({ preventScroll: true }));
  };
  useShortcuts(
    () => [
      { keys: 'j', does: 'The next trial', run: () => move(current + 1) },
      { keys: 'k', does: 'The trial before', run: () => move(current - 1) },
      { keys: 'Enter', does: 'Open the trial', run: () => currentId && openTrial(study.id, currentId) },
      { keys: 'x', does: 'Pick the trial', run: () => currentId && toggleSelected(currentId) },
    ],
    [current, currentId, order],
  );
  const saveCsv = () =>
    download(
      `${info.name}-trials.csv`,
      new Blob(
        [
          formatCsv({
            head: all.map((column) => columnTitle(column, info)),
            rows: Array.from(order, (row) =>
              all.map((column) => (isNumber(study, column) ? table.column(column)[row]! : cellText(table, column, row))),
            ),
          }),
        ],
        { type: 'text/csv' },
      ),
    );

  // Rows that are the same as before are the same objects, which the renderer skips.
  const cells = useMemo(() => columns.map((column) => cellReader(study, column)), [columns.join('~'), version]);
  const cache = useMemo(() => new Map<number, CachedRow>(), [cells, good, ramp, best]);
  const rowOf = (row: number, index: number): VNode => {
    const id = table.idOf(row);
    const isPicked = picked.includes(id);
    const isCurrent = index === current;
    const known = cache.get(id);
    if (known && known.index === index && known.isPicked === isPicked && known.isCurrent === isCurrent) return known.node;
    if (cache.size > kCachedRows) cache.clear();
    const value = table.column('value')[row]!;
    const t = good.of(value);
    const node = (
      <tr
        key={id}
        data-row={index}
        aria-rowindex={index + 2}
        class={isCurrent ? 'current' : undefined}
        onClick={(event) => {
          if (!(event.target as Element).closest('a, button, input, label') && !getSelection()?.toString()) openTrial(study.id, id);
        }}
      >
        <td class="pick">
          <label>
            <input type="checkbox" aria-label={`Pick trial ${id}`} checked={isPicked} onChange={() => toggleSelected(id)} />
          </label>
        </td>
        {columns.map((column, i) => {
          const { text, isNumber: isRight } = cells[i]!;
          switch (column) {
            case 'id':
              return (
                <td class="number">
                  <a href={formatPath({ view: 'trial', study: study.id, trial: id })}>{id}</a>
                </td>
              );
            case 'state': {
              const state = table.stateOf(row);
              const cause = state === 'failed' ? cellText(table, 'cause', row) : '';
              return (
                <td title={cause ? `failed: ${cause}` : undefined}>
                  <StateMark state={state} text={cause ? `Failed: ${cause}` : undefined} />
                </td>
              );
            }
            case 'value':
              return (
                <td class={id === best ? 'number best-cell' : 'number'}>
                  {text(row)}
                  <span class="value-mark" style={{ background: Number.isNaN(t) ? 'none' : ramp[Math.round(t * 31)] }} />
                </td>
              );
            default:
              return <td class={isRight ? 'number' : undefined}>{text(row)}</td>;
          }
        })}
      </tr>
    );
    cache.set(id, { index, isPicked, isCurrent, node });
    return node;
  };

  return (
    <div class="trials">
      <div class="trials-tools">
        <Menu
          label="Columns"
          icon="table"
          items={all
            .filter((column) => column !== 'id')
            .map((column) => ({
              text: columnTitle(column, info),
              checked: !hidden.includes(column),
              onPick: () => {
                const next = hidden.includes(column) ? hidden.filter((other) => other !== column) : [...hidden, column];
                setHidden(next);
                remember('table.hidden', next.join('~'));
              },
            }))}
        >
          Columns
        </Menu>
        <Button kind="quiet" icon="save" onClick={saveCsv}>
          Save as CSV
        </Button>
      </div>
      <div class="trials-box" ref={box} style={{ height: `${Math.min(height, headHeight + order.length * rowHeight + 20)}px` }} tabIndex={0} role="region" aria-label="Trials">
        <table class="trials-table" aria-rowcount={order.length + 1} style={{ width: `${columns.reduce((sum, column) => sum + widthOf(column, columnTitle(column, info)), 2.6)}rem` }}>
          <colgroup>
            <col style={{ width: '2.6rem' }} />
            {columns.map((column) => (
              <col key={column} style={{ width: `${widthOf(column, columnTitle(column, info))}rem` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" class="pick">
                <span class="off-screen">Pick</span>
              </th>
              {columns.map((column) => {
                const isMine = column === sortColumn;
                return (
                  <th
                    key={column}
                    scope="col"
                    class={isNumber(study, column) ? 'number' : undefined}
                    aria-sort={isMine ? (isDown ? 'descending' : 'ascending') : undefined}
                  >
                    <button type="button" class="sort" title={columnTitle(column, info)} onClick={() => setQuery({ sort: isMine && !isDown ? '-' + column : column })}>
                      <Name text={columnTitle(column, info)} kept={kept.get(columnTitle(column, info))} />
                      <span aria-hidden="true">{isMine ? (isDown ? ' ↓' : ' ↑') : ''}</span>
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {first > 0 && (
              <tr class="space" aria-hidden="true">
                <td style={{ height: `${first * rowHeight}px` }} />
              </tr>
            )}
            {Array.from(order.subarray(first, end), (row, i) => rowOf(row, first + i))}
            {end < order.length && (
              <tr class="space" aria-hidden="true">
                <td style={{ height: `${(order.length - end) * rowHeight}px` }} />
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}
