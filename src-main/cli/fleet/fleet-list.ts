import { InvalidArgumentError, type Command } from 'commander';
import { formatBytes } from '../../../src-shared/format/quantities.ts';
import { BenchFilter } from '../../service/contract/fleet/fleet.ts';
import { benchShape } from '../../service/fleet/benches/bench-shape.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable } from '../support/print-table.ts';
import { note, printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly filter: BenchFilter;
}

/** More than a server has. */
const limit = 100_000;

/** `benchport fleet list`: those that need somebody first. */
export function addFleetList(fleet: Command, terminal: Terminal): void {
  dataCommand(fleet, 'list', 'Show the benches that report here, those that need somebody first')
    .option('--filter <which>', `which: ${BenchFilter.enum.join(', ')}`, filterOf, 'all')
    .addHelpText('after', examples('benchport fleet list --filter attention'))
    .action(async (options: Options) => {
      await withServices(terminal, options, async ({ benchList, config }) => {
        const listing = { filter: options.filter, search: '', sort: 'state', order: 'asc', offset: 0, limit } as const;
        const { rows } = await benchList.page(listing);
        const benches = rows.map((row) => benchShape(row, config.version));
        if (options.json) return printJson(terminal, benches);
        printTable(
          terminal,
          ['NAME', 'STATE', 'LAST REPORT', 'LAST RUN', 'BACKLOG', 'VERSION', 'NEEDS'],
          benches.map((bench) => [
            bench.name,
            bench.state,
            formatTime(Date.parse(bench.heard_at)),
            bench.last_run?.id ?? null,
            bench.copies.waiting === 0 ? null : formatBytes(bench.copies.waiting_bytes),
            bench.version,
            bench.concerns.join(',') || null,
          ]),
        );
        if (benches.length === 0) note(terminal, 'No such bench reports to this server.');
        return undefined;
      });
    });
}

function filterOf(text: string): BenchFilter {
  const found = BenchFilter.enum.find((one) => one === text);
  if (found === undefined) throw new InvalidArgumentError(`It is one of ${BenchFilter.enum.join(', ')}.`);
  return found;
}
