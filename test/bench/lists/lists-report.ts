import { figuresMarkdown, type Report } from '../report.ts';

/** docs/benchmarks-lists.md. */
export function listsMarkdown(report: Report): string {
  return `# Benchmarks of lists and searches

Made by \`npm run bench -- lists --write\`; the run replaces this page. Our service (${report.program}) runs as the desktop starts it, on a database of 1,000,000
measurements, 10,000,000 transfers, 2,000,000 rows of the audit trail, 100,000 users with a token each and 100,000 errors, written by SQL. There is no peer: what counts is
how long a list keeps the event loop, which sends every download, from everything else. After one warm-up ${report.rounds} rounds count.

- The hold is processor time of the thread, so that other programs on the machine do not count; a page that takes longer in all gives way in between.
- The figures in the second table are the median time of a whole answer, and its 95th percentile.

${figuresMarkdown(report, [])}`;
}
