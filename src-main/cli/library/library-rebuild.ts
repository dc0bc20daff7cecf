import type { Command } from 'commander';
import { countOf } from '../../service/common/count-of.ts';
import { objectPrefix } from '../../service/measurements/objects/object-key.ts';
import { rebuildMeasurement, type Rebuilt } from '../../service/measurements/objects/rebuild.ts';
import { ObjectStorageError, type ObjectStorage } from '../../service/object-storage/object-storage.ts';
import type { Services } from '../../service/services.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { requireUser } from '../support/require-user.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';
import { withServices } from '../support/with-services.ts';
import { requireStorage } from './storage-of-command.ts';

interface Options extends CommonOptions {
  readonly owner?: string;
  readonly withRemoved?: boolean;
}

interface Result {
  readonly added: number;
  readonly known: number;
  /** Left alone, because they were removed. */
  readonly removed: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

const keysPerPage = 500;

/** `benchport library rebuild`: makes the rows of measurements from the object storage alone. */
export function addLibraryRebuild(library: Command, terminal: Terminal): void {
  dataCommand(
    library,
    'rebuild',
    'Add the measurements of the object storage that the database does not know, for example after its loss',
  )
    .option('--owner <user>', 'who owns measurements whose owner is no user here')
    .option('--with-removed', 'also those that were removed and are still in the object storage')
    .addHelpText('after', examples('benchport library rebuild --owner alice'))
    .action(async (options: Options) => {
      const result = await withServices(terminal, options, async (services) => {
        const storage = requireStorage(services);
        const owner = options.owner === undefined ? null : (await requireUser(services, options.owner)).id;
        return untilInterrupted('Stopped. Call it again to add the rest.', (signal) =>
          rebuildAll(services, storage, owner, options.withRemoved === true, signal),
        );
      });
      if (options.json) printJson(terminal, result);
      else printLine(terminal, `${countOf(result.added, 'measurement')} added; ${result.known} known already.`);
      if (result.removed > 0 && !options.json)
        printLine(terminal, `${countOf(result.removed, 'measurement')} left alone, because they were removed.`);
      for (const { id, reason } of result.refused) note(terminal, `${id} was not added: ${reason}`);
      if (result.refused.length > 0)
        throw new CommandError(`${countOf(result.refused.length, 'measurement')} not added.`);
    });
}

async function rebuildAll(
  services: Services,
  storage: ObjectStorage,
  owner: number | null,
  withRemoved: boolean,
  signal: AbortSignal,
): Promise<Result> {
  const outcomes = { added: 0, known: 0, removed: 0 };
  const refused: { readonly id: string; readonly reason: string }[] = [];
  try {
    for (let after = ''; ;) {
      const page = await storage.list(objectPrefix, after, keysPerPage, signal);
      for (const { key, length } of page) {
        if (!key.endsWith('.json')) continue;
        const rebuilt: Rebuilt = await rebuildMeasurement(services, storage, key, length, owner, withRemoved, signal);
        if (rebuilt.outcome === 'refused') refused.push({ id: rebuilt.id, reason: rebuilt.reason });
        else outcomes[rebuilt.outcome] += 1;
      }
      const last = page.at(-1);
      if (!last || page.length < keysPerPage) break;
      after = last.key;
    }
  } catch (error) {
    throw error instanceof ObjectStorageError ? new CommandError(error.message) : error;
  }
  services.changes.bump();
  return { ...outcomes, refused };
}
