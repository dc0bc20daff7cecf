import { realpath } from 'node:fs/promises';
import { errorCode } from '../../common/error-code.ts';

/** The folders in which the service keeps files, without symbolic links; those that exist. */
export async function ownFolders({
  dataDir,
  libraryDir,
}: {
  readonly dataDir: string;
  readonly libraryDir?: string;
}): Promise<readonly string[]> {
  const found = await Promise.all([dataDir, ...(libraryDir === undefined ? [] : [libraryDir])].map(existing));
  return found.filter((folder) => folder !== null);
}

async function existing(folder: string): Promise<string | null> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
