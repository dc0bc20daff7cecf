import type { Command } from 'commander';
import { formatBytes } from '../../../src-shared/format/quantities.ts';
import type { BenchDetail } from '../../service/contract/fleet/fleet.ts';
import { benchDetailShape } from '../../service/fleet/benches/bench-shape.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable, type Cell } from '../support/print-table.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { requireBench } from './require-bench.ts';

/** `benchport fleet show NAME` */
export function addFleetShow(fleet: Command, terminal: Terminal): void {
  dataCommand(fleet, 'show', 'Show what a bench has reported')
    .argument('<name>', 'name of the bench, or the beginning of its id')
    .action(async (name: string, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const bench = benchDetailShape(await requireBench(services, name), services.config.version);
        if (options.json) printJson(terminal, bench);
        else printTable(terminal, ['WHAT', 'VALUE'], factsOf(bench));
      });
    });
}

function factsOf(bench: BenchDetail): readonly (readonly Cell[])[] {
  const time = (at: string | null): string | null => formatTime(at === null ? null : Date.parse(at));
  return [
    ['id', bench.id],
    ['name', bench.name],
    ['note', bench.note || null],
    ['state', bench.state],
    ['since', time(bench.since)],
    ['last report', time(bench.heard_at)],
    ['needs', bench.concerns.join(', ') || null],
    ['last run', bench.last_run === null ? null : `${bench.last_run.id}, ${time(bench.last_run.registered_at)}`],
    ['backlog', `${bench.copies.waiting} copies, ${formatBytes(bench.copies.waiting_bytes)}`],
    ['runs', `${bench.runs.growing} growing, ${bench.runs.stuck} stuck`],
    ['folders unreachable', String(bench.rules.unreachable)],
    ['errors unresolved', String(bench.errors.unresolved)],
    ...bench.disks.map(({ what, name, free_bytes: free, size_bytes: size }) => [
      `disk ${what}${name === '' ? '' : ` ${name}`}`,
      `${formatBytes(free)} free of ${formatBytes(size)}`,
    ]),
    ['version', bench.version],
    ['clock ahead', `${(bench.clock_ahead_ms / 1000).toFixed(1)} s`],
    ['reports as', bench.username],
    ['silence is told', bench.expected],
  ];
}
