import { errorCode } from '../common/error-code.ts';

/** Failures of a single file, by how they are handled. */
export type FileFailureKind = 'missing' | 'changing' | 'no-space' | 'library' | 'unreadable' | 'damaged';

/** Describes an error of a system call for the user. */
export function failureText(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it is not there';
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it';
  if (code === 'EBUSY' || code === 'ETXTBSY') return 'another program has locked it';
  if (code === 'ELOOP') return 'it is a link';
  if (code === 'EIO' || code === 'ENXIO' || code === 'ENODEV' || code === 'ESTALE')
    return `its disk cannot be read (${code})`;
  if (code === 'ENAMETOOLONG') return 'its name is too long for this file system';
  if (code === 'EMFILE' || code === 'ENFILE') return 'too many files are open; close some programs';
  if (isNoSpace(error)) return 'the disk is full';
  return code === '' ? (error instanceof Error ? error.message : String(error)) : `it cannot be read (${code})`;
}

/** Also a file of a share that was lost. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(errorCode(error));
}

export function isNoSpace(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL';
}
