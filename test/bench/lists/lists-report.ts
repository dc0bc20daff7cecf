import type { Options } from '../options.ts';
import { figuresMarkdown, type Report } from '../report.ts';
import { listSizes } from './lists-database.ts';

/** Builds docs/benchmarks-lists.md. */
export function listsMarkdown(report: Report, { size }: Options): string {
  const sizes = listSizes[size];
  const count = (number: number) => number.toLocaleString('en');
  return `# Benchmarks of lists and searches

Made by \`npm run bench -- lists --size ${size} --write\`; the run replaces this page. Our service (${report.program}) runs as the desktop starts it, on a database of
${count(sizes.measurements)} measurements, one of them with ${count(sizes.files)} files, ${count(sizes.transfers)} transfers, ${count(sizes.transfers / 5)} rows of the audit trail, ${count(sizes.users)} users with a token each and
${count(Math.ceil(sizes.measurements / 10))} errors, written by SQL. There is no peer: what counts is how long a list keeps the event loop, which sends every download, from everything else.
After one warm-up ${report.rounds} rounds count.

- The hold is processor time of the thread, so that other programs on the machine do not count; a page that takes longer in all gives way in between.
- The figures in the second table are the median time of a whole answer, and its 95th percentile.

${figuresMarkdown(report, [])}`;
}
