import { postgresVersion } from '../../service/postgres/server.ts';
import { bugsinkName } from '../errors/bugsink.ts';
import { clusterPrograms } from '../machine.ts';
import { figuresMarkdown, type Report } from '../report.ts';

/** Builds docs/benchmarks-cluster.md. */
export function clusterMarkdown(report: Report): string {
  return `# Benchmarks of PostgreSQL

Made by \`npm run bench -- cluster --write\`; the run replaces this page. Our service (${report.program})
runs twice, on SQLite and on a PostgreSQL as it is installed but for \`shared_buffers = 256MB\` (\`fsync\` and \`synchronous_commit\` are on), with equal data; one is idle while the
other works. Other programs use the same PostgreSQL. Service, PostgreSQL and client share one machine, which a facility would not do. What is compared is measured once a round, in turn, and after one warm-up ${report.rounds} rounds count.

- A ratio is our rate on PostgreSQL over that on SQLite or of the other program, the median of the ratios of the rounds. The spread is the lowest and the highest.
- Trust the ratios; absolute figures belong to this machine.
- "Server CPU" is of the service, and of PostgreSQL with it.
- "Others" is the share of the processors that neither the server nor its client used meanwhile. Figures with more than a few percent of it say little.

${figuresMarkdown(report, clusterPrograms(postgresVersion(), bugsinkName))}`;
}
