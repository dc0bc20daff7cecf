import { fetchPrograms } from '../machine.ts';
import { figuresMarkdown, type Report } from '../report.ts';

/** Builds docs/benchmarks-fetch.md. */
export function fetchMarkdown(report: Report): string {
  return `# Benchmarks of fetching

Made by \`npm run bench -- fetch --write\`; the run replaces this page. \`benchport download\` (${report.program}), aria2 and curl fetch the same files from the
same server on one machine, from nginx and from our own service. Every variant is measured once a round, in turn, and after one warm-up ${report.rounds} rounds
count.

- A ratio is the median of the ratios of the rounds: what disturbs the machine disturbs both sides of a round. The spread is the lowest and the highest.
- Trust the ratios; absolute figures belong to this machine: server and client share its cores and its disk.
- "Others" is the share of the processors that neither the server nor its client used meanwhile, such as the kernel's writing to the disk. "Server CPU" is what
  the server spent.
- The number of bytes of every run is checked. Ours ends with an error unless every file is proven.

${figuresMarkdown(report, fetchPrograms())}`;
}
