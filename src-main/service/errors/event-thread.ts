import type { Buffer } from 'node:buffer';
import { askingThread } from '../asking-thread.ts';
import { workerFile } from '../worker-file.ts';
import { malformed } from './ingest-failure.ts';
import type { EventContext } from './normalise-event.ts';
import { prepareInSteps, type PreparedEvent } from './prepare-event.ts';

export interface EventQuestion {
  readonly body: Uint8Array;
  readonly context: EventContext;
}

/** Errors lose their class on the way, so a body that is no event is an answer. */
export type EventAnswer = { readonly event: PreparedEvent | null } | { readonly malformed: string };

export interface EventPreparer {
  /** As `prepareEvent`, large bodies on a thread of their own. */
  prepare(body: Buffer, context: EventContext): Promise<PreparedEvent | null>;
  close(): Promise<void>;
}

// Measured: 100 KB cost a millisecond here, a megabyte of small parts up to sixty.
const largeBody = 128 * 1024;
const mostMemory = 512;
// Programs that send large events send more of them.
const idle = 60_000;

/** The thread starts with the first large event. */
export function eventPreparer(): EventPreparer {
  const thread = askingThread<EventQuestion, EventAnswer>({ file: workerFile(import.meta.url, 'event-worker'), name: 'events', mostMemory, idle });

  async function onThread(body: Buffer, context: EventContext): Promise<PreparedEvent | null> {
    // A copy of its own, because the bytes around it may belong to other items.
    const copy = new Uint8Array(body);
    const answer = await thread.ask({ body: copy, context }, [copy.buffer]);
    if ('malformed' in answer) throw malformed(answer.malformed);
    return answer.event;
  }

  return {
    prepare: async (body, context) => (body.length > largeBody ? onThread(body, context) : prepareInSteps(body, context)),
    close: async () => thread.close(new Error('the service ends')),
  };
}
