import { nothing, type Difference } from './compare.ts';
import type { Case } from './side.ts';

/** A row of the page: a difference, and its reason, which a person wrote. */
export interface Listed {
  readonly row: string;
  readonly reason: string;
}

const code = (text: string) => (text === nothing ? text : `\`${text}\``);

/** Formats a difference as a row without its reason. */
export function rowOf({ part, theirs, ours, requests }: Difference): string {
  return [part, code(theirs), code(ours), ranges(requests)].join(' | ');
}

/** Formats a request as a row. */
export function requestRow({ id, what }: Case): string {
  return `${id} | ${what}`;
}

/** Abbreviates `Z01 Z02 Z03 T07` as `Z01-Z03 T07`. */
function ranges(ids: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run?.at(-1) === previous(id)) run?.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(' '))).join(' ');
}

function previous(id: string): string {
  return `${id[0]}${String(Number(id.slice(1)) - 1).padStart(2, '0')}`;
}

/** The rows of the table of differences. */
export function readDifferences(page: string): readonly Listed[] {
  return rowsOf(page, 'Differences').map((cells) => ({ row: cells.slice(0, 4).join(' | '), reason: cells[4] ?? '' }));
}

/** The rows of the table of requests. */
export function readRequests(page: string): readonly string[] {
  return rowsOf(page, 'Requests').map((cells) => cells.join(' | '));
}

function rowsOf(page: string, title: string): readonly (readonly string[])[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
