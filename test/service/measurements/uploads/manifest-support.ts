import { crc32 } from 'node:zlib';
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  directoryEntryLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
} from '../../../../src-shared/archive/zip-format.ts';

export interface Part {
  readonly path: string;
  readonly bytes: Buffer;
}

interface Manifest {
  readonly document: { readonly id: string; readonly title: string; readonly manifest: Record<string, unknown>[] };
  /** The document as text, and as lines. */
  readonly body: string;
  readonly lines: string;
  readonly archive: Buffer;
}

/** Large enough to be sent in several chunks. */
export const bigFile = randomBytes(9_000_000);
/** Files of every kind that the format treats differently, sorted by their paths. */
export const exampleParts: readonly Part[] = [
  { path: 'a/empty.txt', bytes: Buffer.alloc(0) },
  { path: 'a/scan.bin', bytes: bigFile },
  { path: 'käse.txt', bytes: Buffer.from('Käse\n') },
  { path: 'z.txt', bytes: Buffer.from('last') },
];

/** A manifest of files that are sorted by their paths, and the archive that follows from it. */
export function manifestOf(id: string, parts: readonly Part[], time = '2026-02-03T04:05:06.789Z'): Manifest {
  const members = parts.map(({ path, bytes }) => ({ path, length: bytes.length, crc32: crc32(bytes) }));
  const manifest = members.map((member, i) => ({
    ...member,
    sha256: createHash('sha256')
      .update(parts[i]?.bytes ?? '')
      .digest('hex'),
    registrationTime: time,
  }));
  const document = { id, title: `Run ${id}`, manifest };
  const { manifest: entries, ...head } = document;
  return {
    document,
    body: JSON.stringify(document),
    lines: [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(''),
    archive: archiveOf(
      members.map((member) => ({ ...member, registeredAt: Date.parse(time) })),
      parts.map(({ bytes }) => bytes),
    ),
  };
}

function archiveOf(
  members: readonly {
    readonly path: string;
    readonly length: number;
    readonly crc32: number;
    readonly registeredAt: number;
  }[],
  bytes: readonly Buffer[],
): Buffer {
  const heads: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [i, member] of members.entries()) {
    const header = Buffer.alloc(localHeaderLength(member));
    writeLocalHeader(header, 0, member);
    const entry = Buffer.alloc(directoryEntryLength(member, offset));
    writeDirectoryEntry(entry, 0, member, offset);
    heads.push(header, bytes[i] ?? Buffer.alloc(0));
    entries.push(entry);
    offset += header.length + member.length;
  }
  const directory = Buffer.concat(entries);
  return Buffer.concat([...heads, directory, endRecords(members.length, directory.length, offset)]);
}

/** Calls the upload's routes as one user. */
export function uploadsBy(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
  return {
    headers,
    create: async (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
      fetch(`${url}/api/v4/measurements/uploads`, {
        method: 'POST',
        headers: { authorization: headers.authorization, 'content-type': type },
        body,
      }),
    addressIn: (answer: Response) => new URL(answer.headers.get('location') ?? '', url).href,
    offset: async (address: string) => {
      const answer = await fetch(address, { method: 'HEAD', headers });
      return Number(answer.headers.get('upload-offset') ?? -1);
    },
    patch: async (address: string, offset: number, body: Buffer, more: Readonly<Record<string, string>> = {}) =>
      fetch(address, {
        method: 'PATCH',
        headers: {
          ...headers,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
          ...more,
        },
        body: Uint8Array.from(body),
      }),
    fetched: async (
      path: string,
      init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
    ) => fetch(url + path, { ...init, headers: { authorization: headers.authorization, ...init.headers } }),
  };
}

/** @param at counts from the end when it is negative. */
export function withOtherBit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy.writeUInt8(copy.readUInt8(index) ^ 1, index);
  return copy;
}

/** Sends all bytes of an upload, and expects that they are refused for a reason. */
export async function expectRefused(
  client: ReturnType<typeof uploadsBy>,
  address: string,
  archive: Buffer,
  reason: string,
): Promise<void> {
  const sent = await client.patch(address, 0, archive);
  expect([sent.status, ((await sent.json()) as { readonly detail: string }).detail]).toEqual([
    422,
    expect.stringContaining(reason),
  ]);
}
