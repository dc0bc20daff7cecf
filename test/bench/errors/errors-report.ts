import { errorPrograms } from '../machine.ts';
import { figuresMarkdown, type Report } from '../report.ts';
import { bugsinkName } from './bugsink.ts';

/** Builds docs/benchmarks-errors.md. */
export function errorsMarkdown(report: Report): string {
  return `# Benchmarks of error tracking

Made by \`npm run bench -- errors --write\`; the run replaces this page. Our service (${report.program}) and ${bugsinkName}, set up as its documentation says for one
server (gunicorn with four workers, Snappea, SQLite), run at the same time on one machine, with a server that only inflates and parses, and all but one are idle; what is compared is measured once a
round, in turn, and after one warm-up ${report.rounds} rounds count. The client is one program for both.

- A ratio is the median of the ratios of the rounds: what disturbs the machine disturbs both sides of a round. The spread is the lowest and the highest.
- Trust the ratios; absolute figures belong to this machine.
- "Others" is the share of the processors that neither the server nor its client used meanwhile. Figures with more than a few percent of it say little.
- Every answer is checked for its status.

${figuresMarkdown(report, errorPrograms(bugsinkName))}`;
}
