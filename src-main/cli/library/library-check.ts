import type { Command } from 'commander';
import { countOf } from '../../service/common/count-of.ts';
import { grouped } from '../../service/common/grouped.ts';
import { JobFailed } from '../../service/jobs/job-work.ts';
import { startHashThread } from '../../service/measurements/file-worker/hash-thread.ts';
import {
  checkRemoved,
  type CheckRemovedDeps,
  type RemovedCheck,
} from '../../service/measurements/removed/check-removed.ts';
import { newVerifications, verifyWork } from '../../service/measurements/verification/verify.ts';
import { dataCommand, examples, wholeNumber, type CommonOptions } from '../support/command.ts';
import { everyMeasurement } from '../support/every-measurement.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';
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
        const bytesPerSecond = megabytes === undefined ? null : megabytes * 1_000_000;
        const job = await runWork(terminal, services, newVerifications(ids, null, bytesPerSecond), verifyWork);
        const removed = await checkKept(services, bytesPerSecond);
        const wrong: string[] = [];
        for (const id of ids) if (((await services.measurements.byId(id))?.problem_count ?? 0) > 0) wrong.push(id);
        if (options.json) printJson(terminal, { checked: ids.length, wrong, removed });
        const said = [job.message ?? countOf(ids.length, 'measurement'), ...removedText(removed)].join('. ');
        if (wrong.length + removed.wrong.length > 0) throw new CommandError(said);
        if (!options.json) printLine(terminal, said);
      });
    });
}

async function checkKept(services: CheckRemovedDeps, bytesPerSecond: number | null): Promise<RemovedCheck> {
  return untilInterrupted('The check was stopped.', async (signal) => {
    const thread = startHashThread(signal);
    try {
      return await checkRemoved(services, thread, bytesPerSecond, signal);
    } catch (error) {
      throw error instanceof JobFailed ? new CommandError(error.message) : error;
    } finally {
      await thread.close();
    }
  });
}

function removedText({ checked, wrong, left_out: leftOut }: RemovedCheck): readonly string[] {
  if (checked + leftOut === 0) return [];
  const right = checked - wrong.length;
  return [
    `${grouped(right)} of ${countOf(checked, 'removed measurement')} ${right === 1 || checked === 1 ? 'is' : 'are'} unchanged`,
    ...wrong.map(({ number, id, files }) => `${id} (removed, number ${number}): ${files.join(', ')}`),
    ...(leftOut > 0 ? [`${grouped(leftOut)} left out, because of a removal or restoration meanwhile`] : []),
  ];
}
