/** How the rows of a delimited text are written. */
export interface TableLayout {
  readonly delimiter: string;
  /** Lines before the first row of values: remarks of the instrument, and the names of the columns. */
  readonly linesBefore: number;
  readonly columns: readonly string[];
  readonly numeric: readonly boolean[];
}

const delimiters = ['\t', ';', ',', '|'] as const;
const probeLines = 60;
/** Further columns are left out. */
const maxColumns = 1000;

/** The fields of a row; a field in double quotes may hold the delimiter, a line end and quotes (RFC 4180). */
export function splitRow(row: string, delimiter: string): string[] {
  if (!row.includes('"')) return row.split(delimiter, maxColumns);
  const fields: string[] = [];
  let at = 0;
  while (at <= row.length && fields.length < maxColumns) {
    if (row[at] !== '"') {
      const end = row.indexOf(delimiter, at);
      fields.push(end < 0 ? row.slice(at) : row.slice(at, end));
      at = end < 0 ? row.length + 1 : end + 1;
      continue;
    }
    let end = row.indexOf('"', at + 1);
    while (end >= 0 && row[end + 1] === '"') end = row.indexOf('"', end + 2);
    const closed = end < 0 ? row.length : end;
    fields.push(row.slice(at + 1, closed).replaceAll('""', '"'));
    const after = row.indexOf(delimiter, closed + 1);
    at = after < 0 ? row.length + 1 : after + 1;
  }
  return fields;
}

/** The lines of a text as rows: a line end within quotes does not end a row. Empty lines are left out. */
export function splitRows(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (!text.includes('"')) return lines.filter((line) => line !== '');
  const rows: string[] = [];
  let open = '';
  for (const line of lines) {
    const row = open === '' ? line : `${open}\n${line}`;
    // A quote that is never closed must not swallow the rest of the text.
    const isOpen = (row.match(/"/g)?.length ?? 0) % 2 === 1 && row.length < 10_000;
    open = isOpen ? row : '';
    if (!isOpen && row !== '') rows.push(row);
  }
  if (open !== '') rows.push(...open.split('\n').filter((line) => line !== ''));
  return rows;
}

/** A field as a number, with a decimal point or a decimal comma; NaN for anything else. */
export function numberOf(field: string | undefined): number {
  const text = field?.trim() ?? '';
  if (text === '') return Number.NaN;
  return Number(/^[-+]?\d*,\d+(?:[eE][-+]?\d+)?$/.test(text) ? text.replace(',', '.') : text);
}

/** The layout of a table by its first rows; null for a text that has no columns. */
export function layoutOf(rows: readonly string[]): TableLayout | null {
  const probe = rows.slice(0, probeLines);
  const found = delimiters
    .map((delimiter) => ({ delimiter, ...mostFrequent(probe.map((row) => splitRow(row, delimiter).length)) }))
    .filter(({ value, times }) => value > 1 && times >= Math.min(3, probe.length))
    .toSorted((one, other) => other.times - one.times || other.value - one.value)[0];
  if (found === undefined || found.times < probe.length * 0.5) return null;
  const { delimiter, value: width } = found;
  const fields = probe.map((row) => splitRow(row, delimiter));
  const first = fields.findIndex((row) => row.length === width);
  const values = fields.slice(first + 1).filter((row) => row.length === width);
  const isNumber = (column: number): boolean =>
    values.some((row) => !Number.isNaN(numberOf(row[column]))) &&
    values.every((row) => (row[column] ?? '').trim() === '' || !Number.isNaN(numberOf(row[column])));
  const numeric = Array.from({ length: width }, (_, column) => isNumber(column));
  const heads = fields[first] ?? [];
  const hasHeads = numeric.some((is, column) => is && Number.isNaN(numberOf(heads[column]))) || !numeric.includes(true);
  return {
    delimiter,
    linesBefore: first + (hasHeads ? 1 : 0),
    columns: Array.from({ length: width }, (_, column) => nameOf(hasHeads ? heads[column] : undefined, column)),
    numeric,
  };
}

function nameOf(head: string | undefined, column: number): string {
  const name = head?.trim().slice(0, 100) ?? '';
  return name === '' ? `Column ${column + 1}` : name;
}

function mostFrequent(values: readonly number[]): { readonly value: number; readonly times: number } {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  const [value, most] = [...times].toSorted(([, one], [, other]) => other - one)[0] ?? [0, 0];
  return { value, times: most };
}
