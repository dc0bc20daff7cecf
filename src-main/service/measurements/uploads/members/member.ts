import { closeSync } from 'node:fs';
import { localHeader } from './expected-bytes.ts';
import type { ExpectedFile } from './expected-file.ts';
import { MemberHash } from './member-hash.ts';

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

export function closeMember(member: Member): void {
  member.hash.stop();
  if (member.fd !== null) closeSync(member.fd);
  member.fd = null;
}
