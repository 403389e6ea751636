// Saves a plot as a file.

/** The numbers behind a plot: the text alternative, and what CSV holds. */
export interface PlotTable {
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** RFC 4180. A text that a spreadsheet would take for a formula gets a ' before it. */
export function formatCsv(table: PlotTable): string {
  const cell = (value: string | number): string => {
    if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
    const text = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? "'" + value : value;
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [table.head, ...table.rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}
