// npm run bench -- serve|oauth|errors|fetch|lists|cluster|objects|copies|previews|builds: measures our service
// beside its peers, against its goals.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Detail, Goal, Row } from './goals/goal.ts';
import { spreadRow } from './goals/goal.ts';
import { readOptions, usage, type Options } from './options.ts';
import { reportText, type Report } from './report.ts';
import { spreadOf } from './statistics.ts';
import {
  builds,
  cluster,
  copies,
  errors,
  fetching,
  lists,
  oauth,
  objects,
  previews,
  serve,
  type Running,
  type Subject,
} from './subjects.ts';

const say = (line: string) => console.error(`bench: ${line}`);

async function measure<Bench extends Running>(
  subject: Subject<Bench>,
  bench: Bench,
  chosen: readonly Goal<Bench>[],
  options: Options,
): Promise<Report> {
  const rows: Row[] = [];
  const details: Detail[] = [];
  const loopDelays: { goal: Goal<Bench>; p99: number }[] = [];
  for (const goal of chosen) {
    say(`measuring ${goal.name}`);
    await bench.loopDelay();
    const findings = await goal.run(bench);
    rows.push(...findings.rows);
    for (const row of findings.rows)
      say(`  ${row.work}, ${row.against}: ${row.measured} (${row.spread}), goal ${row.wanted}`);
    details.push(...findings.details);
    loopDelays.push({ goal, p99: await bench.loopDelay() });
  }
  if (subject.worstDelay !== null) {
    const delays = spreadOf(loopDelays.map(({ p99 }) => p99));
    const limit = { atMost: subject.worstDelay, unit: 'ms' };
    rows.push(
      spreadRow('event-loop delay, p99, the worst of all of the above', '-', { ...delays, median: delays.max }, limit),
    );
  }
  return { program: subject.programOf(bench), rounds: options.rounds, rows, details, loopDelays };
}

async function run<Bench extends Running>(subject: Subject<Bench>, options: Options): Promise<number> {
  const chosen = subject.goals.filter((goal) => options.only.length === 0 || options.only.includes(goal.name));
  if (options.only.length > 0 && chosen.length < options.only.length) {
    console.error(`${usage}\n  names: ${subject.goals.map((goal) => goal.name).join(', ')}`);
    return 2;
  }
  const dir = mkdtempSync(path.join(process.env.BENCHPORT_BENCH_DIR ?? os.tmpdir(), 'benchport-bench-'));
  let bench: Bench | null = null;
  const clean = async () => {
    await bench?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void clean().finally(() => process.exit(130)));
  try {
    bench = await subject.start(dir, options, say);
    const report = await measure(subject, bench, chosen, options);
    console.log(reportText(report));
    if (options.write)
      writeFileSync(path.resolve(import.meta.dirname, '../../docs', subject.page), subject.markdown(report, options));
  } finally {
    await clean();
  }
  return 0;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.error(usage);
    return 2;
  }
  if (options.subject === 'errors') return run(errors, options);
  if (options.subject === 'fetch') return run(fetching, options);
  if (options.subject === 'lists') return run(lists, options);
  if (options.subject === 'cluster') return run(cluster, options);
  if (options.subject === 'objects') return run(objects, options);
  if (options.subject === 'copies') return run(copies, options);
  if (options.subject === 'builds') return run(builds, options);
  if (options.subject === 'previews') return run(previews, options);
  return options.subject === 'oauth' ? run(oauth, options) : run(serve, options);
}

process.exitCode = await main();
