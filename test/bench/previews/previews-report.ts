import { figuresMarkdown, type Report } from '../report.ts';

/** Builds docs/benchmarks-previews.md. */
export function previewsMarkdown(report: Report): string {
  return `# Benchmarks of previews

Made by \`npm run bench -- previews --write\`; the run replaces this page. A service (${report.program}), a browser and the line between them share one machine. After one
warm-up ${report.rounds} rounds count.

${figuresMarkdown(report, [])}`;
}
