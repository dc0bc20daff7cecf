import { manifestLine, type Manifest } from '../../service/upload-client/bytes.ts';
import type { ArchiveMember } from './archive-bytes.ts';

const filesPerChunk = 500;

export function manifestOf(members: readonly ArchiveMember[]): Manifest {
  return async function* lines(head) {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (let at = 0; at < members.length; at += filesPerChunk)
      yield Buffer.from(
        members
          .slice(at, at + filesPerChunk)
          .map((member) => manifestLine(member))
          .join(''),
      );
  };
}
