import { objectsPrograms } from '../machine.ts';
import { figuresMarkdown, type Report } from '../report.ts';
import { makers } from '../../service/object-storage/real-storages.ts';

/** Builds docs/benchmarks-objects.md. */
export function objectsMarkdown(report: Report): string {
  return `# Benchmarks of the object storage

Made by \`npm run bench -- objects --write\`; the run replaces this page. Our service (${report.program})
has equal measurements in its library and in a bucket of versitygw, which keeps plain files. Storage, service and client share one machine and both of its cores, which a facility
would not do. What is compared is measured once a round, in turn, and after one warm-up ${report.rounds} rounds count.

- A ratio is the rate from the bucket over that from the library, the median of the ratios of the rounds. The spread is the lowest and the highest.
- Trust the ratios; absolute figures belong to this machine.
- "Server CPU" is of the service alone.
- "Others" is the share of the processors that neither the server nor its client used meanwhile: with a bucket, the storage's.

${figuresMarkdown(report, objectsPrograms(makers[0]?.module ?? ''))}`;
}
