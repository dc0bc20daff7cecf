import { lstatSync } from 'node:fs';
import { StartError } from '../common/start-error.ts';

/**
 * Makes sure that what lies beside a data directory, and says that other data are to take its place, is of whoever the directory is of: in a folder that
 * others may write to it could be anybody's. Something that is not there is nobody's.
 *
 * @throws StartError `data-unusable`
 */
export function refuseForeign(file: string, dataDir: string): void {
  // Windows has no such numbers; there the rights of a folder are inherited by what is made in it.
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
