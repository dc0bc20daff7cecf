import type { Command } from 'commander';
import { changeApplication } from '../../service/oauth/applications/application-change.ts';
import { applicationShape } from '../../service/oauth/applications/application-shape.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  /** True for --device, false for --no-device. */
  readonly device?: boolean;
}

/** `benchport app update ID` */
export function addAppUpdate(apps: Command, terminal: Terminal): void {
  dataCommand(apps, 'update', 'Change an application')
    .argument('<id>', 'number of the application, from "benchport app list"', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--device', 'let it sign in with a code that its user types into a browser')
    .option('--no-device', 'no longer let it do so')
    .action(async (id: number, options: Options) => {
      const { device } = options;
      if (device === undefined) throw new CommandError('Say what to change: --device or --no-device.', 2);
      await withServices(terminal, options, async (services) => {
        const before = await services.applications.byId(id);
        if (!before) throw new CommandError(`There is no application ${id}. "benchport app list" shows them all.`);
        const changed = await changeApplication(services, before, { ...before, deviceGrant: device }, atTheMachine);
        if (options.json) printJson(terminal, await applicationShape(services, changed));
        else
          printLine(
            terminal,
            `Application ${id} (${changed.name}) ${device ? 'may' : 'may not'} sign in with a code on a device.`,
          );
      });
    });
}
