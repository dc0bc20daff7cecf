import type { ArchiveMember } from './archive-bytes.ts';

/** Makes the lines of a manifest: one for the measurement, then one for each file. */
export type Manifest = (head: Readonly<Record<string, string>>) => AsyncIterable<Buffer>;

const filesPerChunk = 500;

export function manifestOf(members: readonly ArchiveMember[]): Manifest {
  return async function* lines(head) {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (let at = 0; at < members.length; at += filesPerChunk)
      yield Buffer.from(
        members
          .slice(at, at + filesPerChunk)
          .map((member) => `${lineOf(member)}\n`)
          .join(''),
      );
  };
}

function lineOf({ path, length, crc32, sha256, registeredAt }: ArchiveMember): string {
  const registrationTime = new Date(registeredAt).toISOString();
  return JSON.stringify({ path, length, crc32, sha256, registrationTime });
}
