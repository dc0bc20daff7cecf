import { isMissed, leftBehind, movedTables, type MovedColumn, type MovedTable } from './moved-tables.ts';
import { keyOf, shownKey, type Row, type Value } from './rows.ts';
import type { MoveSource, MoveTarget } from './sides.ts';
import type { ReportMove } from './move-progress.ts';

/** A value that the target cannot hold. */
export interface MoveProblem {
  readonly table: string;
  readonly column: string;
  /** The primary key of its row. */
  readonly key: string;
  readonly problem: string;
}

export interface MoveContents {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[];
  readonly bytes: number;
  /** The first hundred. */
  readonly problems: readonly MoveProblem[];
  /** Tables with rows that stay where they are. */
  readonly leftBehind: readonly { readonly table: string; readonly rows: number; readonly why: string }[];
}

const maxProblems = 100;
// PostgreSQL refuses index rows of more than a third of a page ("B-Tree Indexes": 2704 bytes).
const maxIndexedBytes = 2600;

/** Reads all rows, without their larger values, and looks for what the target cannot hold. */
export async function examine(
  source: MoveSource,
  engine: MoveTarget['engine'],
  report: ReportMove,
  signal: AbortSignal,
): Promise<MoveContents> {
  const problems: MoveProblem[] = [];
  const tables: { table: string; rows: number; bytes: number }[] = [];
  const bytesTotal = await source.bytes();
  let bytes = 0;
  for (const table of movedTables()) {
    let [rows, tableBytes] = [0, 0];
    for await (const page of source.pages(table, null, 'sizes')) {
      signal.throwIfAborted();
      for (const row of page) {
        tableBytes += bytesOf(table, row);
        if (problems.length < maxProblems) problems.push(...problemsOf(table, row, engine));
      }
      rows += page.length;
      report({ step: 'looking', bytesDone: Math.min(bytes + tableBytes, bytesTotal), bytesTotal });
    }
    bytes += tableBytes;
    tables.push({ table: table.name, rows, bytes: tableBytes });
  }
  return { tables, bytes, problems: problems.slice(0, maxProblems), leftBehind: await staying(source) };
}

async function staying(source: MoveSource): Promise<MoveContents['leftBehind']> {
  const found: { table: string; rows: number; why: string }[] = [];
  for (const [table, why] of Object.entries(leftBehind)) {
    const rows = isMissed(table) ? await source.count(table) : 0;
    if (rows > 0) found.push({ table, rows, why });
  }
  return found;
}

function bytesOf(table: MovedTable, row: Row): number {
  let sum = 0;
  for (const [at, value] of row.entries()) sum += bytesOfValue(table.columns[at], value);
  return sum;
}

function bytesOfValue(column: MovedColumn | undefined, value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Buffer.isBuffer(value)) return value.length;
  return column?.kind === 'bytes' ? value : 8;
}

function problemsOf(table: MovedTable, row: Row, engine: MoveTarget['engine']): readonly MoveProblem[] {
  const found: MoveProblem[] = [];
  for (const [at, value] of row.entries()) {
    const column = table.columns[at];
    if (!column || value === null) continue;
    const problem = problemOf(column, value, engine);
    if (problem !== null)
      found.push({ table: table.name, column: column.name, key: shownKey(keyOf(table, row)), problem });
  }
  return found;
}

function problemOf(column: MovedColumn, value: Value, engine: MoveTarget['engine']): string | null {
  if (typeof value === 'number' && column.kind === 'integer')
    return Number.isSafeInteger(value) ? null : 'a number beyond 2^53';
  if (engine === 'sqlite') return null;
  if (typeof value === 'string' && value.includes('\0'))
    return 'a text with the character NUL (U+0000), which PostgreSQL cannot store';
  return column.indexed && bytesOfValue(column, value) > maxIndexedBytes
    ? `more than ${maxIndexedBytes} bytes, which PostgreSQL cannot index`
    : null;
}
