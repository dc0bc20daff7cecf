// npm run bench -- serve: our service beside nginx, @fastify/static, archiver and yazl, against the goals that it has to reach.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startBench, type Bench } from './bench.ts';
import { archive } from './goals/archive.ts';
import { archiveRange } from './goals/archive-range.ts';
import type { Detail, Goal, Row } from './goals/goal.ts';
import { spreadRow } from './goals/goal.ts';
import { manifest } from './goals/manifest.ts';
import { memory } from './goals/memory.ts';
import { ranges } from './goals/ranges.ts';
import { registration } from './goals/registration.ts';
import { singleFile } from './goals/single-file.ts';
import { readOptions, usage, type Options } from './options.ts';
import { reportMarkdown, reportText, type Report } from './report.ts';
import { spreadOf } from './statistics.ts';

const goals: readonly Goal[] = [singleFile, ranges, archive, archiveRange, memory, manifest, registration];

const say = (line: string) => console.error(`bench: ${line}`);

async function measure(bench: Bench, chosen: readonly Goal[], options: Options): Promise<Report> {
  const rows: Row[] = [];
  const details: Detail[] = [];
  const loopDelays: { goal: Goal; p99: number }[] = [];
  for (const goal of chosen) {
    say(`measuring ${goal.name}`);
    await bench.loopDelay();
    const findings = await goal.run(bench);
    rows.push(...findings.rows);
    for (const row of findings.rows) say(`  ${row.work}, ${row.against}: ${row.measured} (${row.spread}), goal ${row.wanted}`);
    details.push(...findings.details);
    loopDelays.push({ goal, p99: await bench.loopDelay() });
  }
  const delays = spreadOf(loopDelays.map(({ p99 }) => p99));
  rows.push(spreadRow('event-loop delay, p99, the worst of all of the above', '-', { ...delays, median: delays.max }, { atMost: 50, unit: 'ms' }));
  return { program: bench.service().program, rounds: options.rounds, rows, details, loopDelays };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const chosen = goals.filter((goal) => options?.only.length === 0 || options?.only.includes(goal.name));
  if (!options || (options.only.length > 0 && chosen.length < options.only.length)) {
    console.error(`${usage}\n  names: ${goals.map((goal) => goal.name).join(', ')}`);
    return 2;
  }
  const dir = mkdtempSync(path.join(process.env.BENCHPORT_BENCH_DIR ?? os.tmpdir(), 'benchport-bench-'));
  let bench: Bench | null = null;
  const clean = async () => {
    await bench?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void clean().finally(() => process.exit(130)));
  try {
    bench = await startBench(dir, options, say);
    const report = await measure(bench, chosen, options);
    console.log(reportText(report));
    if (options.write) writeFileSync(path.resolve(import.meta.dirname, '../../docs/benchmarks.md'), reportMarkdown(report));
  } finally {
    await clean();
  }
  return 0;
}

process.exitCode = await main();
