// Writes what a JSON text holds as YAML that people like to read. Pure.

const kNotPlain = /^(?:~|null|true|false|yes|no|on|off|y|n|\.nan|[-+]?\.inf|[-+.]?\d[\d_.,:eExXa-fA-F+-]*)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  // Signs that mean something to YAML at the beginning, or before a blank, mean nothing after a word: a < b.
  const isPlain = /^[A-Za-z_/.][\w/.@%+-]*(?: [\w/.@%+(<>=!*-][\w/.@%+()<>=!*-]*)*$/.test(value) && !kNotPlain.test(value);
  return isPlain ? value : JSON.stringify(value);
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** In one line, as it may stand within another value. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([key, part]) => `${scalar(key)}: ${flow(part)}`).join(', ')}}`;
  }
  // Commas and brackets mean something within a flow.
  return typeof value === 'string' && /[,[\]{}]/.test(value) ? JSON.stringify(value) : scalar(value);
}

const kWidth = 100;

function block(value: unknown, indent: string): string {
  if (!isNested(value)) return flow(value) + '\n';
  // Lists of plain values, and what is short within a list, in one line.
  let text = '';
  if (Array.isArray(value)) {
    for (const part of value) {
      const short = flow(part);
      if (indent.length + short.length < kWidth || !isNested(part)) text += `${indent}- ${short}\n`;
      else text += `${indent}- ${block(part, indent + '  ').slice(Array.isArray(part) ? 0 : indent.length + 2)}`;
    }
    return text;
  }
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    if (!isNested(part)) text += `${indent}${scalar(key)}: ${flow(part)}\n`;
    else if (Array.isArray(part) && !part.some(isNested) && flow(part).length + indent.length + key.length < kWidth) {
      text += `${indent}${scalar(key)}: ${flow(part)}\n`;
    } else text += `${indent}${scalar(key)}:\n${block(part, Array.isArray(part) ? indent : indent + '  ')}`;
  }
  return text;
}

export function toYaml(value: unknown): string {
  return block(value, '');
}
