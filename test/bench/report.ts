import type { Detail, Goal, Row } from './goals/goal.ts';
import { machineLines, servingPrograms } from './machine.ts';

/** All results of a run. */
export interface Report {
  readonly program: string;
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly details: readonly Detail[];
  /** p99 of the event loop's delay during each goal, milliseconds. */
  readonly loopDelays: readonly { readonly goal: Pick<Goal, 'name' | 'method'>; readonly p99: number }[];
}

const rowHead = ['work', 'against', 'goal', 'measured', 'spread', ''];
const detailHead = ['work', 'variant', 'median', 'spread', 'server CPU', 'others'];
const rowCells = (row: Row) => [
  row.work,
  row.against,
  row.wanted,
  row.measured,
  row.spread,
  row.met ? 'met' : 'not met',
];
const detailCells = (one: Detail) => [one.work, one.variant, one.figure, one.spread, one.cpu, one.others];

/** The tables for a terminal. */
export function reportText(report: Report): string {
  const missed = report.rows.filter((row) => !row.met).length;
  return [
    aligned([rowHead, ...report.rows.map(rowCells)]),
    '',
    aligned([detailHead, ...report.details.map(detailCells)]),
    '',
    missed === 0 ? `All ${report.rows.length} goals are met.` : `${missed} of ${report.rows.length} goals are not met.`,
  ].join('\n');
}

/** Builds docs/benchmarks.md. */
export function servingMarkdown(report: Report): string {
  return `# Benchmarks

Made by \`npm run bench -- serve --write\`; the run replaces this page. Our service (${report.program}) runs as the desktop starts it, with every check on:
token, access by a grant, audit, checksums. All servers run at the same time on one machine and all but one are idle; every variant is measured once a
round, in turn, and after one warm-up ${report.rounds} rounds count. Files are in the page cache, the network is the loopback.

- A ratio is the median of the ratios of the rounds: what disturbs the machine disturbs both sides of a round. The spread is the lowest and the highest.
- Trust the ratios; absolute figures belong to this machine. On the loopback a server also pays for waking its client, so the client is named with every
  figure, and two figures with different clients do not compare.
- "Others" is the share of the processors that neither the server nor its client used meanwhile. Figures with more than a few percent of it say little.
- nginx: one worker, \`sendfile on\`, \`tcp_nopush off\`, \`tcp_nodelay on\`, \`open_file_cache\`, no access log. It checks no token and writes no audit.
- Goals of whole files, archives and manifests are set against nginx with \`sendfile off\`: whatever compares bytes with a
  checksum has to touch them. nginx with \`sendfile on\` stands beside it without a goal; the difference is the price of copying.
- Every run checks status, length and range of each answer, and every variant's bytes are compared once by SHA-256.

${figuresMarkdown(report, servingPrograms())}`;
}

/** The end of every page of figures: machine and versions, goals, methods, and all figures. */
export function figuresMarkdown(report: Report, programs: readonly string[]): string {
  return `## Machine

${machineLines(programs)
  .map((line) => `- ${line}`)
  .join('\n')}

## Goals

${markdownTable([rowHead, ...report.rows.map(rowCells)])}

## How each was measured

${report.loopDelays.map(({ goal }) => `- **${goal.name}**: ${goal.method}`).join('\n')}

## Figures

${markdownTable([detailHead, ...report.details.map(detailCells)])}

Event-loop delay of our service, p99 in milliseconds: ${report.loopDelays.map(({ goal, p99 }) => `${goal.name} ${p99.toFixed(1)}`).join(', ')}.
`;
}

function markdownTable(lines: readonly (readonly string[])[]): string {
  const [head = [], ...body] = lines;
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
