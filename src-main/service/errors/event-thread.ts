import type { Buffer } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import { workerFile } from '../worker-file.ts';
import { malformed } from './ingest-failure.ts';
import type { EventContext } from './normalise-event.ts';
import { prepareEvent, type PreparedEvent } from './prepare-event.ts';

export interface EventRequest {
  readonly id: number;
  readonly body: Uint8Array;
  readonly context: EventContext;
}

export type EventReply =
  | { readonly id: number; readonly event: PreparedEvent | null }
  | { readonly id: number; readonly malformed: string }
  | { readonly id: number; readonly failed: string };

export interface EventPreparer {
  /** As `prepareEvent`, large bodies on a thread of their own. */
  prepare(body: Buffer, context: EventContext): Promise<PreparedEvent | null>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (event: PreparedEvent | null) => void;
  readonly reject: (error: Error) => void;
}

// Measured: 100 KB cost a millisecond here, a megabyte of small parts up to sixty.
const largeBody = 128 * 1024;
const mostMemory = 512;

/** The thread starts with the first large event. */
export function eventPreparer(): EventPreparer {
  let worker: Worker | null = null;
  let next = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const thread = new Worker(workerFile(import.meta.url, 'event-worker'), {
      execArgv: [],
      name: 'events',
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    const gone = (error: Error): void => {
      if (worker === thread) worker = null;
      for (const one of waiting.values()) one.reject(error);
      waiting.clear();
    };
    thread.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', () => gone(new Error('the thread that reads events has ended')));
    thread.on('message', (reply: EventReply) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('event' in reply) one?.resolve(reply.event);
      else one?.reject('malformed' in reply ? malformed(reply.malformed) : new Error(reply.failed));
    });
    // It never keeps the service from ending.
    thread.unref();
    return thread;
  }

  async function onThread(body: Buffer, context: EventContext): Promise<PreparedEvent | null> {
    worker ??= start();
    const thread = worker;
    next += 1;
    const id = next;
    // A copy of its own, because the bytes around it may belong to other items.
    const copy = new Uint8Array(body);
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const request: EventRequest = { id, body: copy, context };
      thread.postMessage(request, [copy.buffer]);
    });
  }

  return {
    prepare: async (body, context) => (body.length > largeBody ? onThread(body, context) : prepareEvent(body, context)),
    close: async () => void (await worker?.terminate()),
  };
}
