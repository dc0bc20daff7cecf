import { figuresMarkdown, type Report } from '../report.ts';

/** Builds docs/benchmarks-builds.md. */
export function buildsMarkdown(report: Report): string {
  return `# Benchmarks of two builds

Made by \`npm run bench -- builds --beside CHECKOUT --write\`; the run replaces this page. The service of this build ("now") and that of another one
("before") run at the same time, on the same files, and one of them works at a time. Each does the same work once a round, in turn, and after one warm-up
${report.rounds} rounds count.

- A ratio is that of this build over the other, the median of the ratios of the rounds. Below 1 this build needs less. The spread is the lowest and the highest.
- "Others" is the share of the processors that neither the server nor its client used meanwhile. Figures with more than a few percent of it say little.

${figuresMarkdown(report, [])}`;
}
