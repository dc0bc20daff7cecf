import { lstatSync } from 'node:fs';
import { StartError } from '../common/start-error.ts';

/**
 * Requires that a file beside a data directory which redirects to other data belongs to the owner
 * of the directory: in a shared folder another user could have created it. A missing file passes.
 *
 * @throws StartError `data-unusable`
 */
export function refuseForeign(file: string, dataDir: string): void {
  // Windows has no user ids; there files inherit the permissions of their folder.
  const user = process.getuid?.();
  const owner = ownerOf(file);
  if (user === undefined || owner === undefined || owner === (ownerOf(dataDir) ?? user)) return;
  throw new StartError(
    'data-unusable',
    `${file} belongs to a different user than ${dataDir}, and names other data to use instead. Remove it.`,
  );
}

function ownerOf(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.uid;
}
