import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { windowsTrouble } from '../../files/names.ts';
import { isNoSpace } from '../../files/register-failures.ts';

/** The reason why a file is not exported whose bytes have changed. */
export const notAsRegistered = 'it is not what was registered any more';

/** The target file system cannot store the file under its name. */
export class TargetError extends Error {}

/** @throws TargetError for a name that opens something else than a new file. */
export function requireTargetName(target: string): void {
  // On Windows a colon would open an alternate stream of another file, and a device name the
  // device, without an error.
  const problem = process.platform === 'win32' ? windowsTrouble(path.basename(target)) : null;
  if (problem !== null) throw new TargetError(problem);
}

/** The failure to create a file there, in words; a full disk stays the error that it is. */
export function targetErrorOf(error: unknown): unknown {
  const code = errorCode(error);
  if (isNoSpace(error)) return error;
  if (code === 'EEXIST')
    return new TargetError('the file system there takes its name for that of another file', { cause: error });
  if (['EINVAL', 'EILSEQ', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'].includes(code))
    return new TargetError(`the file system there cannot hold this name (${code})`, { cause: error });
  return new TargetError(`it cannot be written there (${code})`, { cause: error });
}
