import type { RemovedRow } from '../../service/measurements/removed/store/removed-rows.ts';
import type { RemovedStores } from '../../service/measurements/removed/store/stores.ts';
import { CommandError } from '../support/terminal.ts';

const maxNamed = 100;
/** Of removals. */
export const maxNumber = 999_999_999_999;

/**
 * The removed measurement with that id, or that number where several had it.
 * @throws CommandError if there is none, or several.
 */
export async function requireRemoved(services: RemovedStores, id: string, number?: number): Promise<RemovedRow> {
  const { rows } = await services.removed.list({ ownerId: null, measurementId: id, limit: maxNamed, offset: 0 });
  const found = number === undefined ? rows : rows.filter((row) => row.id === number);
  const [only, ...more] = found;
  if (!only)
    throw new CommandError(
      `There is no removed measurement ${id} that can be restored. "benchport measurement removed" shows them all.`,
    );
  if (more.length > 0)
    throw new CommandError(
      `${found.length} measurements with the id ${id} were removed. Say which with --number: ${found.map((row) => row.id).join(', ')}.`,
    );
  return only;
}
