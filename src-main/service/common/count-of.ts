import { grouped } from './grouped.ts';

/** A count with its noun: "1 file", "2 000 files". */
export function countOf(count: number, one: string): string {
  return `${grouped(count)} ${nounOf(count, one)}`;
}

/** The noun for a count that is written separately: "file" for 1, else "files". */
export function nounOf(count: number, one: string): string {
  return count === 1 ? one : `${one}s`;
}
