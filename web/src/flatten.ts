// Takes settings apart, to compare them. Pure.
import { decodePart } from './format';

/** "trainingInput.hyperparameters.maxTrials" -> "60". Lists of things with names go by these. */
export function flatten(value: unknown, prefix = '', into = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    const named = value.every((each) => typeof each === 'object' && each !== null && ('parameterName' in each || 'metric' in each));
    if (named && value.length) {
      for (const each of value as Record<string, unknown>[]) {
        const { parameterName, metric, ...rest } = each;
        flatten(rest, `${prefix}[${String(parameterName ?? metric)}]`, into);
      }
    } else into.set(prefix, value.every((each) => typeof each !== 'object') ? value.join(', ') : JSON.stringify(value));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) flatten(each, prefix ? `${prefix}.${key}` : key, into);
  } else into.set(prefix, String(value));
  return into;
}

export interface Row {
  name: string;
  /** '' where there is none. */
  cells: string[];
  differs: boolean;
}

/** One row for each key of any map, what differs first; else in the order of their first appearance. */
export function rowsOfMaps(maps: readonly ReadonlyMap<string, string>[]): Row[] {
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  const rows = names.map((name) => {
    const cells = maps.map((map) => map.get(name) ?? '');
    return { name, cells, differs: new Set(cells).size > 1 };
  });
  return [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
}

/** Ids of studies as a text of the address, and back. */
export const formatIds = (ids: readonly string[]): string => ids.map(encodeURIComponent).join(',');

export function parseIds(text: string): string[] {
  return text
    .split(',')
    .filter(Boolean)
    .map(decodePart);
}
