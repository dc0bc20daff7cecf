import type { AttackReport } from './attack.ts';
import type { SoakReport } from './soak.ts';

/** The report as text, failures first. */
export function reportText(report: SoakReport): string {
  const lines: string[] = [];
  const section = (title: string, content: readonly string[]) => {
    if (content.length > 0) lines.push('', title, ...content.map((line) => `  ${line}`));
  };
  const counted = new Map<string, number>();
  for (const { what, detail } of report.troubles)
    counted.set(`${what}: ${detail}`, (counted.get(`${what}: ${detail}`) ?? 0) + 1);
  section(
    'What went wrong',
    [...counted].map(([text, count]) => `${count} x ${text}`),
  );
  const unexplained = report.errorLines.filter(({ why }) => why === null);
  section(
    'Lines of the log that nobody can explain',
    unexplained.map(({ service, line }) => `${service}: ${line}`),
  );
  const explained = new Map<string, number>();
  for (const { why } of report.errorLines) if (why !== null) explained.set(why, (explained.get(why) ?? 0) + 1);
  section(
    'Lines of level error that were to be expected',
    [...explained].map(([why, count]) => `${count} x ${why}`),
  );
  section(
    'Promises',
    [...report.promises].map(
      ([which, { kept, broken }]) =>
        `${broken === 0 ? 'kept  ' : 'BROKEN'} ${which}: ${kept} times kept, ${broken} times broken`,
    ),
  );
  section(
    'Memory in MiB, from the first third to the last of the time without kills, its first sixth left out',
    report.memory.map(
      ({ name, first, last, max, openFiles, judged, flat }) =>
        `${flat ? 'flat  ' : 'GROWS '} ${name}: ${first} to ${last}, at most ${max}; open files ${openFiles.first} to ${openFiles.last}, at most ${openFiles.max}${judged ? '' : ' (too short to judge)'}`,
    ),
  );
  if (report.attack) section('Under attack', attackLines(report.attack));
  section(
    'Done',
    [...report.done]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([what, count]) => `${String(count).padStart(8)} ${what}`),
  );
  lines.push(
    '',
    `${report.interrupted} interrupted by a kill, the disk was ${report.diskWasFull ? '' : 'not '}full, ${report.seconds} seconds in all: ${report.good ? 'good' : 'NOT GOOD'}`,
  );
  return lines.join('\n');
}

function attackLines({ faults, health, memory, growth }: AttackReport): readonly string[] {
  return [
    ...faults.map((fault) => `TOO MUCH: ${fault}`),
    `health answered in ${Math.round(health.median)} ms, at most ${Math.round(health.max)} ms, without waiting for a processor ${Math.round(health.own)} ms, ${health.failed} of ${health.asked} times not`,
    `memory of ${Math.round(memory.before)} MiB before, at most ${Math.round(memory.max)}, and ${Math.round(memory.after)} after`,
    `the attacker alone had the database grow by ${growth.perMinute.toFixed(2)} MiB a minute; its log was at most ${growth.maxLog.toFixed(1)} MiB long`,
  ];
}
