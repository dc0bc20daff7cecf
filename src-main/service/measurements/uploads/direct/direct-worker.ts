/**
 * Worker thread that verifies archives on their way into the object storage and back: hashing and
 * waiting for the disk must not delay other requests.
 */
import { Buffer } from 'node:buffer';
import { mkdirSync } from 'node:fs';
import { serveWorker } from '../../../workers/worker-server.ts';
import { DamagedError } from '../members/member-receiver.ts';
import { MemberHash } from '../members/member-hash.ts';
import { ArchiveVerifier, beginning } from './archive-verifier.ts';
import type { DirectMethods, ReadMember, Verified } from './direct-messages.ts';
import { PartWriter } from './part-file.ts';
import { StreamHash } from './stream-hash.ts';
import { BodyCounter, type StreamVerifier } from './stream-verifier.ts';

const maxKept = 16;

interface Session {
  readonly verifier: StreamVerifier;
  readonly parts: PartWriter;
  /** Null when its request has ended. */
  writer: string | null;
}

interface Reading {
  readonly verifier: ArchiveVerifier<MemberHash>;
  members: ReadMember[];
}

const sessions = new Map<string, Session>();
const readings = new Map<string, Reading>();

serveWorker<DirectMethods>({
  resume: (folder, writer, offset) => {
    const session = sessions.get(folder);
    if (session?.verifier.offset === offset) {
      session.writer = writer;
      return true;
    }
    forget(folder);
    return false;
  },
  open: (target, writer, from, part) => {
    forget(target.folder);
    const verifier = new ArchiveVerifier(target.folder, target, from ?? beginning, {
      newHash: (_file, before) => new StreamHash(before),
      onMember: () => {},
    });
    sessions.set(target.folder, { verifier, parts: new PartWriter(target.folder, part), writer });
  },
  openBody: (folder, writer, offset, part) => {
    forget(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    sessions.set(folder, { verifier: new BodyCounter(offset), parts: new PartWriter(folder, part), writer });
  },
  write: (folder, writer, bytes) => {
    const { verifier, parts } = sessionOf(folder, writer);
    const chunk = bufferOf(bytes);
    return verified(() => {
      verifier.write(chunk);
      parts.write(chunk);
    });
  },
  seal: (folder, writer, isWhole) => {
    const { verifier, parts } = sessionOf(folder, writer);
    return { ...parts.seal(isWhole), checkpoint: verifier.checkpoint };
  },
  leave: (folder, writer, isKept) => {
    const session = sessions.get(folder);
    if (session?.writer !== writer) return;
    if (!isKept) return forget(folder);
    session.writer = null;
    // The one that was left last is forgotten last.
    sessions.delete(folder);
    sessions.set(folder, session);
    const kept = [...sessions].filter(([, one]) => one.writer === null);
    for (const [oldest] of kept.slice(0, Math.max(0, kept.length - maxKept))) forget(oldest);
  },
  openWhole: (target) => {
    readings.get(target.folder)?.verifier.close();
    const verifier = new ArchiveVerifier(target.folder, target, beginning, {
      newHash: ({ length }) => new MemberHash(length),
      onMember: (index, file, hash) =>
        void readings.get(target.folder)?.members.push({ index, file, blocks: hash.blocks, pieces: hash.pieces() }),
    });
    readings.set(target.folder, { verifier, members: [] });
  },
  readWhole: (folder, bytes) => {
    const reading = readings.get(folder);
    if (!reading) throw new Error('the archive was not opened');
    reading.members = [];
    const result = verified(() => reading.verifier.write(bufferOf(bytes)));
    return { ...result, members: reading.members };
  },
  closeWhole: (folder) => {
    readings.get(folder)?.verifier.close();
    readings.delete(folder);
  },
});

function sessionOf(folder: string, writer: string): Session {
  const session = sessions.get(folder);
  if (session?.writer !== writer) throw new Error('the upload was not opened by this request');
  return session;
}

function forget(folder: string): void {
  const session = sessions.get(folder);
  sessions.delete(folder);
  session?.verifier.close();
  session?.parts.discard();
}

function verified(work: () => void): Verified {
  try {
    work();
    return { damaged: null };
  } catch (error) {
    if (error instanceof DamagedError) return { damaged: error.message };
    throw error;
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
