/**
 * Worker thread that receives the files of uploads: hashing and waiting for the disk must not delay
 * other requests.
 */
import { Buffer } from 'node:buffer';
import { serveWorker } from '../../../workers/worker-server.ts';
import { checkNames } from './check-names.ts';
import { DamagedError, MemberReceiver } from './member-receiver.ts';
import { receivedOffset } from './received-offset.ts';
import type { Received, ReceiveMethods, ReceiveTarget } from './receive-messages.ts';
import type { WritebackSlot } from './writeback.ts';

const maxSettled = 16;

interface Session {
  receiver: MemberReceiver | null;
  last: Promise<unknown>;
}

const sessions = new Map<string, Session>();
/** Receivers whose request has ended: they know the checksums of half a file. */
const settled = new Map<string, MemberReceiver>();
const writebackSlot: WritebackSlot = { isTaken: false };

serveWorker<ReceiveMethods>({
  open: async (target) => inOrder(target.folder, async (session) => open(session, target)),
  write: async (folder, bytes) =>
    inOrder(folder, async (session) => {
      if (session.receiver === null) throw new Error('the upload was not opened');
      await session.receiver.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return session.receiver.offset;
    }),
  settle: async (folder) => inOrder(folder, async (session) => settle(folder, session)),
  locate: async (folder) =>
    inOrder(folder, async ({ receiver }) => (receiver === null ? receivedOffset(folder) : receiver.offset)),
  checkNames,
});

async function inOrder(folder: string, work: (session: Session) => Promise<number>): Promise<Received> {
  const session = sessions.get(folder) ?? { receiver: null, last: Promise.resolve() };
  sessions.set(folder, session);
  const mine = session.last.then(async () => attempt(session, work));
  const last = mine.catch(() => undefined);
  session.last = last;
  try {
    return await mine;
  } finally {
    if (session.last === last && session.receiver === null) sessions.delete(folder);
  }
}

/** After a failure what is known of the upload is what lies on the disk. */
async function attempt(session: Session, work: (session: Session) => Promise<number>): Promise<Received> {
  try {
    return { offset: await work(session), damaged: null };
  } catch (error) {
    session.receiver?.close();
    session.receiver = null;
    if (error instanceof DamagedError) return { offset: 0, damaged: error.message };
    throw error;
  }
}

async function open(session: Session, target: ReceiveTarget): Promise<number> {
  session.receiver?.close();
  session.receiver = null;
  const before = settled.get(target.folder);
  settled.delete(target.folder);
  if (before?.isCurrent() === true) session.receiver = before;
  else {
    before?.close();
    session.receiver = await MemberReceiver.open(target.folder, target, writebackSlot);
  }
  return session.receiver.offset;
}

async function settle(folder: string, session: Session): Promise<number> {
  const { receiver } = session;
  if (receiver === null) return receivedOffset(folder);
  await receiver.sync();
  session.receiver = null;
  settled.get(folder)?.close();
  settled.delete(folder);
  if (receiver.isWhole) receiver.close();
  else settled.set(folder, receiver);
  for (const [key, oldest] of settled) {
    if (settled.size <= maxSettled) break;
    settled.delete(key);
    oldest.close();
  }
  return receiver.offset;
}
