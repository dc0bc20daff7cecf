import type { Command } from 'commander';
import { removeBench } from '../../service/fleet/benches/bench-routes.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { requireBench } from './require-bench.ts';

/** `benchport fleet remove NAME` */
export function addFleetRemove(fleet: Command, terminal: Terminal): void {
  dataCommand(fleet, 'remove', 'Forget a bench; one that still reports appears again')
    .argument('<name>', 'name of the bench, or the beginning of its id')
    .action(async (name: string, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const bench = await requireBench(services, name);
        await removeBench({ ...services, changed: () => undefined }, bench, atTheMachine);
        const shown = bench.own_name ?? bench.report.name;
        if (options.json) printJson(terminal, { id: bench.id, name: shown });
        else printLine(terminal, `${shown} is removed.`);
      });
    });
}
