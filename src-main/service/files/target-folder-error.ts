import { errorCode } from '../common/error-code.ts';
import { shownName } from './inspect-findings.ts';
import { isNoSpace } from './register-failures.ts';

export type TargetReason = 'target-missing' | 'target-unwritable' | 'disk-full' | 'bad-path' | 'name-taken';

/** A file cannot be written to its target. */
export class TargetError extends Error {
  readonly reason: TargetReason;
  /** Whether other files of the folder may still succeed. */
  readonly onlyThisFile: boolean;

  constructor(reason: TargetReason, message: string, onlyThisFile: boolean) {
    super(message);
    this.name = 'TargetError';
    this.reason = reason;
    this.onlyThisFile = onlyThisFile;
  }
}

/**
 * Describes an error of a system call on a target file for the user; a TargetError is returned
 * unchanged.
 */
export function targetError(error: unknown, path: string): TargetError {
  if (error instanceof TargetError) return error;
  const name = shownName(path);
  const code = errorCode(error);
  if (isNoSpace(error)) return new TargetError('disk-full', 'The disk is full. Free some space.', false);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ESTALE':
    case 'ENODEV':
    case 'ENXIO':
      return targetMissing();
    case 'ENAMETOOLONG':
    case 'EINVAL':
    case 'EILSEQ':
      return new TargetError('bad-path', `${name}: the file system of the folder cannot hold this name.`, true);
    case 'EFBIG':
      return new TargetError(
        'target-unwritable',
        `${name}: the file system of the folder cannot hold a file of this length.`,
        true,
      );
    case 'EROFS':
      return new TargetError('target-unwritable', 'The disk of the folder is read-only. Choose another folder.', false);
    case 'EACCES':
    case 'EPERM':
      return new TargetError(
        'target-unwritable',
        `${name}: this user may not write there. Change the permissions of the folder, or choose another one.`,
        false,
      );
    default:
      return new TargetError(
        'target-unwritable',
        `${name} cannot be written (${code === '' ? (error instanceof Error ? error.message : String(error)) : code}).`,
        false,
      );
  }
}

export function targetMissing(): TargetError {
  return new TargetError(
    'target-missing',
    'The folder is no longer there, or it was moved or replaced. Bring it back, or choose another one.',
    false,
  );
}

/** Another file or folder has a required name; it is never replaced. */
export function inTheWay(path: string, what: string): TargetError {
  return new TargetError(
    'name-taken',
    `${shownName(path)}: ${what}. Move or rename it, then continue. In another folder everything is fetched again.`,
    true,
  );
}
