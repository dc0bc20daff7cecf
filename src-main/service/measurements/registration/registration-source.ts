import { stat } from 'node:fs/promises';
import { errorCode } from '../../common/error-code.ts';
import { JobFailed, JobMustPause, JobNeedsDiskSpace, JobStopped } from '../../jobs/job-work.ts';
import { RemoteError } from '../../workers/worker-errors.ts';
import { failureText, isNoSpace } from '../../files/register-failures.ts';
import type { RegistrationParameters } from './register.ts';

/** Returns the metadata that identifies a source. */
export async function sourceIdentity(
  file: string,
): Promise<{ readonly inode: string; readonly size: number; readonly mtimeNs: string }> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true });
  return { inode: String(ino), size: Number(size), mtimeNs: String(mtimeNs) };
}

/**
 * Classifies a failure that does not concern a single file: full disk, missing source, damaged
 * archive, or unexpected.
 */
export async function classifySourceError(error: unknown, parameters: RegistrationParameters): Promise<unknown> {
  if (error instanceof JobStopped || error instanceof JobFailed || error instanceof JobMustPause) return error;
  const thread = error instanceof RemoteError ? error : null;
  if (isNoSpace(error)) return diskFull();
  const gone = await sourceProblem(parameters);
  if (gone) return gone;
  // A share that was away for a moment is there again by now.
  if (thread ? isMissing(thread) : isMissing(error) || isUnreachable(error))
    return new JobMustPause(`${parameters.path} was away for a moment. Resume to go on.`);
  if (!thread) return error;
  if (errorCode(thread) === '') return new JobFailed(thread.message);
  return new JobFailed(`${parameters.path} cannot be read: ${failureText(thread)}.`);
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(errorCode(error));
}

function isUnreachable(error: unknown): boolean {
  return ['EIO', 'EHOSTDOWN', 'ETIMEDOUT'].includes(errorCode(error));
}

/**
 * Returns an error when the source as a whole is unavailable or replaced, for example because its
 * disk was unplugged: then waiting helps, and blaming a single file would mislead.
 */
export async function sourceProblem(
  parameters: Pick<RegistrationParameters, 'path' | 'archive' | 'root'>,
): Promise<Error | null> {
  try {
    const now = await sourceIdentity(parameters.path);
    const { archive, root } = parameters;
    if (root !== undefined && root !== now.inode) {
      return new JobMustPause(`Another folder is now at ${parameters.path}. Connect its disk again, then resume.`);
    }
    if (archive && (archive.size !== now.size || archive.mtimeNs !== now.mtimeNs)) {
      return new JobFailed(
        `${parameters.path} was changed while it was being registered. Register it again when it is complete.`,
        { code: 'changed' },
      );
    }
    return null;
  } catch (error) {
    return new JobMustPause(
      `${parameters.path} cannot be reached: ${failureText(error)}. Connect its disk again, then resume.`,
    );
  }
}

/** The library's disk is full; no partial copy is left behind. */
export function diskFull(): Error {
  return new JobNeedsDiskSpace(
    'The disk of the data directory is full. Free some space; it then continues automatically.',
    0,
  );
}
