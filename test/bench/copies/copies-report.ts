import { copyPrograms } from '../machine.ts';
import { figuresMarkdown, type Report } from '../report.ts';

/** Builds docs/benchmarks-copies.md. */
export function copiesMarkdown(report: Report): string {
  return `# Benchmarks of copies

Made by \`npm run bench -- copies --write\`; the run replaces this page. A service (${report.program}) keeps copies of its measurements on another one over HTTPS, beside rsync over ssh and rclone to
a WebDAV server over HTTPS. Both ends share one machine and both of its cores. Each program copies the same folder once a round, in turn, and after one warm-up ${report.rounds} rounds count.

- A ratio is our rate over that of the other program, the median of the ratios of the rounds. The spread is the lowest and the highest.
- Ours ends when the other service has registered the measurement, synced it to the disk, signed its receipt and answered for random blocks; theirs end when the program ends, and only rsync with \`--fsync\` syncs.
- Trust the ratios; absolute figures belong to this machine.

${figuresMarkdown(report, copyPrograms())}`;
}
