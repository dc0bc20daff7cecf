import { opendir } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { countOf } from '../../common/count-of.ts';
import { errorCode } from '../../common/error-code.ts';
import { grouped } from '../../common/grouped.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { FileRow } from '../store/files-store.ts';

type Identity = Pick<FileRow, 'idx' | 'path' | 'length' | 'mtime_ns'>;

/**
 * A registered file that cannot be served as registered; the message states the problem in words
 * for the owner.
 */
export class FileFault extends Error {
  readonly index: number;
  readonly filePath: string;
  /**
   * `unchecked`: metadata changed, so the bytes must be compared before it is known whether they
   * did.
   */
  readonly state: 'altered' | 'missing' | 'unreadable' | 'unchecked';
  /** Outcome of a transfer that ended with this fault, in the audit trail. */
  readonly outcome: 'file-changed' | 'read-error' | 'checksum-mismatch';

  constructor(
    file: Pick<FileRow, 'idx' | 'path'>,
    state: FileFault['state'],
    problem: string,
    outcome?: FileFault['outcome'],
  ) {
    super(problem);
    this.name = 'FileFault';
    this.index = file.idx;
    this.filePath = file.path;
    this.state = state;
    this.outcome = outcome ?? (state === 'altered' || state === 'unchecked' ? 'file-changed' : 'read-error');
  }
}

/** Problem of files that share a block of the object storage with wrong bytes. */
export const damagedBlock = 'its block in the object storage is not as it was stored';

/** A file that the object storage does not return as it was stored. */
export class ObjectFault extends FileFault {}

/**
 * Returns the error response to send before the first byte. A disk failure may be temporary, so it
 * is a 503 rather than a statement about the file.
 */
export function faultAsProblem(fault: FileFault): HttpProblem {
  const name = `File ${fault.index} (${fault.filePath})`;
  switch (fault.state) {
    case 'altered':
      return new HttpProblem(
        409,
        `${name} is not what was registered: ${fault.message}. It is not served until it is restored and verified.`,
        {
          type: 'file-changed',
        },
      );
    case 'missing':
      return new HttpProblem(404, `${name} was registered but is now missing: ${fault.message}.`, {
        type: 'file-missing',
      });
    case 'unchecked':
      return new HttpProblem(
        503,
        `${name} may have changed since it was registered: ${fault.message}. Its bytes are being compared; try again in a moment.`,
        {
          type: 'file-being-checked',
          headers: { 'retry-after': '5' },
        },
      );
    case 'unreadable':
      return new HttpProblem(503, `${name} cannot be read now: ${fault.message}.`, {
        type: 'file-unreadable',
        headers: { 'retry-after': '60' },
      });
  }
}

/**
 * Describes how the metadata of a file on disk differs from its registration; null when it does
 * not. Content is compared by checksum.
 */
export function difference(file: Identity, stat: BigIntStats): string | null {
  if (!stat.isFile()) return 'it is no longer a regular file';
  if (stat.size !== BigInt(file.length))
    return `it has ${countOf(Number(stat.size), 'byte')} instead of ${grouped(file.length)}`;
  if (stat.mtimeNs !== BigInt(file.mtime_ns)) return 'its modification time has changed';
  return null;
}

/**
 * Returns the fault of a file whose size, kind or modification time is not as registered; null when
 * there is none. A changed time alone says nothing about the bytes.
 */
export function faultIn(file: Identity, stat: BigIntStats): FileFault | null {
  const problem = difference(file, stat);
  if (problem === null) return null;
  return new FileFault(file, stat.isFile() && stat.size === BigInt(file.length) ? 'unchecked' : 'altered', problem);
}

/** Returns the fault of a file whose bytes differ from those registered. */
export function checksumFault(file: Pick<FileRow, 'idx' | 'path'>): FileFault {
  return new FileFault(file, 'altered', 'its content no longer has the registered checksum', 'checksum-mismatch');
}

/**
 * Problem of a file whose path now leads through a symbolic link, so that `openAtPath` refuses it.
 */
export const reachedThroughSymlink = 'a link leads to it now';

/**
 * Classifies a failed system call on a file. A root folder that is missing, or empty like an unused
 * mount point, means an unmounted disk rather than a missing file.
 *
 * @throws HttpProblem 503 when the process ran out of descriptors or memory.
 */
export async function classifyFileError(
  error: unknown,
  file: Pick<FileRow, 'idx' | 'path'>,
  root: string,
): Promise<FileFault> {
  if (error instanceof FileFault) return error;
  const code = errorCode(error) || 'an unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const absent = await absenceOf(root);
    return absent === null
      ? new FileFault(file, 'missing', 'there is no such file in its folder')
      : new FileFault(file, 'unreadable', absent);
  }
  if (code === 'EACCES' || code === 'EPERM') return new FileFault(file, 'unreadable', 'this user may not read it');
  // Lack of resources in this process says nothing about the file.
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM')
    throw new HttpProblem(503, 'The server is busy. Try again in a moment.', { headers: { 'retry-after': '2' } });
  return new FileFault(file, 'unreadable', `the disk failed (${code})`);
}

/** Explains why a whole folder looks like an unmounted disk; null when it contains something. */
export async function absenceOf(root: string): Promise<string | null> {
  const folder = await lookInto(root);
  return folder === null ? null : `its folder ${root} is ${folder}; is its disk connected and mounted?`;
}

async function lookInto(folder: string): Promise<'not there' | 'empty' | null> {
  try {
    const entries = await opendir(folder);
    try {
      return (await entries.read()) === null ? 'empty' : null;
    } finally {
      await entries.close();
    }
  } catch {
    return 'not there';
  }
}
