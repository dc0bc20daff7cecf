import { ftruncateSync, fstatSync, openSync } from 'node:fs';
import { errorCode } from '../../../common/error-code.ts';
import { localHeader } from './expected-bytes.ts';
import type { ExpectedFile } from './expected-file.ts';
import { MemberHash } from './member-hash.ts';
import type { Writeback } from './writeback.ts';

/** The file that is being received. */
export interface Member {
  readonly index: number;
  readonly file: ExpectedFile;
  readonly header: Buffer;
  /** Bytes received of header and file together. */
  position: number;
  hash: MemberHash;
  fd: number | null;
}

export function newMember(index: number, file: ExpectedFile): Member {
  return { index, file, header: localHeader(file), position: 0, hash: new MemberHash(file.length), fd: null };
}

/** Closes a member that is given up. */
export function closeMember(member: Member, writeback: Writeback): void {
  member.hash.stop();
  if (member.fd !== null) writeback.close(member.fd);
  member.fd = null;
}

/** Opens the file of a member, of which `length` bytes have come. */
export function openMember(file: string, length: number): number {
  // Most files are new, and of these nothing needs to be looked up.
  if (length === 0) {
    const created = createdFile(file);
    if (created !== null) return created;
  }
  const fd = openSync(file, 'r+');
  // ext4 writes a file that was truncated to nothing to the disk as soon as it is closed.
  if (fstatSync(fd).size !== length) ftruncateSync(fd, length);
  return fd;
}

/** Null when there is a file of that name. */
function createdFile(file: string): number | null {
  try {
    return openSync(file, 'wx+', 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null;
    throw error;
  }
}
