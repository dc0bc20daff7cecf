import type { Command } from 'commander';
import path from 'node:path';
import { prepareRegistration } from '../../service/measurements/registration/register.ts';
import { registerWork } from '../../service/measurements/registration/registration-run.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { ownerOf } from '../support/owner-of.ts';
import { runWork } from '../support/run-work.ts';
import { note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly id?: string;
  readonly title?: string;
  readonly copy?: true;
  readonly leaveOutUnsupported?: true;
  readonly owner?: string;
}

/** `benchport measurement register PATH`: prints the id. */
export function addMeasurementRegister(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'register', 'Freeze a folder, a file or a ZIP archive as a measurement, and print its id')
    .argument('<path>', 'folder, file or .zip')
    .option('--id <id>', 'id, the end of its address; derived from the name when left out')
    .option('--title <title>', 'title to show; derived from the name when left out')
    .option('--copy', 'copy the files into the library; a ZIP archive always is')
    .option(
      '--leave-out-unsupported',
      'leave out what cannot be registered, such as links, list it, and register the rest',
    )
    .option('--owner <name>', "user name of the owner; the installation's owner when left out")
    .addHelpText(
      'after',
      examples(
        'benchport measurement register /data/qmr-114',
        'benchport measurement register qmr-114.zip --id qmr-114 --title "Quantum memory 114" --owner alice',
      ),
    )
    .action(async (source: string, options: Options) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        const owner = await ownerOf(services, options.owner);
        const request = {
          path: path.resolve(source),
          id: options.id,
          title: options.title,
          copy: options.copy === true,
          leaveOut: options.leaveOutUnsupported === true,
          ownerId: owner.id,
        };
        const job = await runWork(terminal, services, await prepareRegistration(services, request), registerWork);
        const leftOut = await services.leftOut.of(job.measurement_id);
        for (const name of leftOut?.names ?? []) note(terminal, `left out: ${name}`);
        if (job.files_total === 0) note(terminal, 'There are no files in it: the measurement is empty.');
        if (options.json)
          printJson(terminal, {
            id: job.measurement_id,
            files: job.files_total,
            bytes: job.bytes_total,
            left_out: leftOut?.total ?? 0,
          });
        else printLine(terminal, job.measurement_id);
      });
    });
}
