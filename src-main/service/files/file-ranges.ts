import { hash } from 'node:crypto';
import { countOf } from '../common/count-of.ts';
import { invalidRequest } from '../common/problem.ts';
import { parseIndex } from './file-index.ts';

/** Neighbouring files of a manifest by their indexes, both inclusive. */
export interface FileRange {
  readonly first: number;
  readonly last: number;
}

/** Some files of a measurement. */
export interface FileSelection {
  /** In order, neither overlapping nor touching. */
  readonly ranges: readonly FileRange[];
  /** The ranges as text such as `0-3,7`; equal selections have equal texts. */
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly digest: string;
}

/** Most ranges of a selection. */
const maxRanges = 1000;
const maxQuoted = 40;
const item = /^(\d+)(?:(-)(\d*))?$/;

/**
 * Parses a list of indexes and ranges such as `7,0-3,12-`, in any order; a range without an end
 * goes to the last file.
 *
 * @throws HttpProblem 400 when it is no such list, names a file that does not exist, or has more
 * than a thousand ranges that do not touch.
 */
export function parseSelection(text: string, fileCount: number): FileSelection {
  if (text === '') throw invalidRequest('`files` is empty. Name at least one file, such as files=0-3,7.');
  if (fileCount === 0) throw invalidRequest('This measurement has no files, so there are none to choose.');
  const ranges = merge(text.split(',').map((part) => parseRange(part, fileCount)));
  if (ranges.length > maxRanges)
    throw invalidRequest(
      `\`files\` has ${countOf(ranges.length, 'range')} of files that are not neighbours, and can have ${countOf(maxRanges, 'range')}. Ask for fewer at once.`,
    );
  const normalised = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
  return { ranges, text: normalised, digest: hash('sha256', normalised) };
}

/** Whether a selection is all files of a measurement. */
export function isAll({ ranges: [first, ...others] }: FileSelection, fileCount: number): boolean {
  return others.length === 0 && first?.first === 0 && first.last === fileCount - 1;
}

function parseRange(part: string, fileCount: number): FileRange {
  const [, from, dash, to] = item.exec(part) ?? [];
  const first = indexOf(from);
  const last = dash === undefined ? first : to === '' ? Math.max(first ?? 0, fileCount - 1) : indexOf(to);
  if (first === null || last === null)
    throw invalidRequest(
      `\`files\` has ${quoted(part)}, which is neither an index nor a range of indexes. Write it as files=0-3,7,12-, without spaces.`,
    );
  if (last < first) throw invalidRequest(`\`files\` has the range ${quoted(part)}, which ends before it begins.`);
  if (last >= fileCount)
    throw invalidRequest(
      `\`files\` names file ${first < fileCount ? last : first}, which does not exist: this measurement has ${countOf(fileCount, 'file')}, counted from 0.`,
    );
  return { first, last };
}

function indexOf(text: string | undefined): number | null {
  return text === undefined ? null : parseIndex(text);
}

function quoted(part: string): string {
  return `"${part.length > maxQuoted ? `${part.slice(0, maxQuoted)}...` : part}"`;
}

function merge(ranges: readonly FileRange[]): readonly FileRange[] {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else merged.push({ first, last });
  }
  return merged;
}
