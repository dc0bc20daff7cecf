import type { Command } from 'commander';
import { countOf } from '../../service/common/count-of.ts';
import { newVerifications, verifyWork } from '../../service/measurements/verification/verify.ts';
import { dataCommand, examples, wholeNumber, type CommonOptions } from '../support/command.ts';
import { everyMeasurement } from '../support/every-measurement.ts';
import { runWork } from '../support/run-work.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly megabytesPerSecond?: number;
}

const maxMegabytesPerSecond = 100_000;

/** `benchport library check`: exit status 1 if anything is not as it was registered. */
export function addLibraryCheck(library: Command, terminal: Terminal): void {
  dataCommand(library, 'check', 'Read everything in the library or the object storage again and compare it')
    .option('--megabytes-per-second <number>', 'read no faster than this', wholeNumber(1, maxMegabytesPerSecond))
    .addHelpText('after', examples('benchport library check --megabytes-per-second 50'))
    .action(async (options: Options) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        const ids: string[] = [];
        for await (const { id, storage, state } of everyMeasurement(services))
          if (storage === 'library' && state !== 'registering') ids.push(id);
        const { megabytesPerSecond: megabytes } = options;
        const job = await runWork(
          terminal,
          services,
          newVerifications(ids, null, megabytes === undefined ? null : megabytes * 1_000_000),
          verifyWork,
        );
        const wrong: string[] = [];
        for (const id of ids) if (((await services.measurements.byId(id))?.problem_count ?? 0) > 0) wrong.push(id);
        if (options.json) printJson(terminal, { checked: ids.length, wrong });
        if (wrong.length > 0) throw new CommandError(job.message ?? `${countOf(wrong.length, 'measurement')} changed.`);
        if (!options.json) printLine(terminal, job.message ?? 'All files are unchanged.');
      });
    });
}
