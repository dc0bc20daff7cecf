import type { Buffer } from 'node:buffer';
import { availableParallelism } from 'node:os';
import { createWorkerClient } from '../../workers/worker-client.ts';
import { workerFile } from '../../workers/worker-file.ts';
import { prepareEvent, type PreparedEvent } from '../events/prepare-event.ts';
import type { RequestBatches } from '../events/request-batches.ts';
import { malformed } from '../normalise/ingest-failure.ts';
import { largeEventBytes } from '../normalise/ingest-sizes.ts';
import type { EventContext } from '../normalise/normalise-event.ts';

/** The methods of the worker. */
export interface EventMethods {
  /** @param bodies event bodies, concatenated */
  prepare(
    bodies: Uint8Array,
    events: readonly { readonly length: number; readonly context: EventContext }[],
  ): readonly PrepareResult[];
}

/** Errors lose their class when they cross threads, so a malformed event is a result. */
export type PrepareResult = { readonly event: PreparedEvent | null } | { readonly malformed: string };

export interface EventPreparer {
  /** Works like `prepareEvent`, on the worker for large bodies and full batches. */
  prepare(body: Buffer, context: EventContext): Promise<PreparedEvent | null>;
  close(): Promise<void>;
}

interface ReceivedEvent {
  readonly body: Buffer;
  readonly context: EventContext;
}

/** Events that arrive in one step of the event loop. */
interface Batch {
  readonly events: ReceivedEvent[];
  /** The events as the worker prepared them; null when each is to be read on this thread. */
  readonly results: Promise<readonly PrepareResult[] | null>;
}

// Only under load beyond what one thread handles do this many arrive at once; smaller batches get a
// faster response without a second thread.
const fullBatchEvents = 12;
// The main thread compresses the events of a batch in one turn of the event loop.
const maxBatchBytes = 4 * largeEventBytes;
// Maximum number of batches queued for the worker; further ones are read on the main thread, so
// that both threads stay busy.
const maxWaitingBatches = 4;
const maxHeapMb = 512;
// Programs that send a large event usually send more of them.
const idleMs = 60_000;

/**
 * Creates a preparer whose worker starts with the first large event or full batch.
 *
 * @param turns bounds what this thread reads in one turn of the event loop.
 * @param acceptsBatches whether batches go to the worker: on a machine with a single CPU this would
 * only cost time.
 */
export function eventPreparer(turns: RequestBatches, acceptsBatches = availableParallelism() > 1): EventPreparer {
  const file = workerFile(import.meta.url, 'event-worker');
  const thread = createWorkerClient<EventMethods>({ file, name: 'events', maxHeapMb, idleMs }, {});
  let batch: Batch | null = null;
  let batchesOnThread = 0;
  let largeOnThread = 0;

  async function onThread(events: readonly ReceivedEvent[]): Promise<readonly PrepareResult[]> {
    // Copied because the underlying buffers may also hold other items, and the copy is transferred.
    const bodies = new Uint8Array(bytesOf(events));
    let at = 0;
    for (const { body } of events) {
      bodies.set(body, at);
      at += body.length;
    }
    const parts = events.map(({ body, context }) => ({ length: body.length, context }));
    return thread.call('prepare', [bodies, parts], [bodies.buffer]);
  }

  async function prepareLarge(event: ReceivedEvent): Promise<PreparedEvent | null> {
    largeOnThread += 1;
    try {
      return preparedOf((await onThread([event]))[0]);
    } finally {
      largeOnThread -= 1;
    }
  }

  async function prepareBatch(events: readonly ReceivedEvent[]): Promise<readonly PrepareResult[] | null> {
    // The other events of this step join first.
    await Promise.resolve();
    batch = null;
    if (
      !acceptsBatches ||
      events.length < fullBatchEvents ||
      batchesOnThread === maxWaitingBatches ||
      // Behind large events on the worker a batch would wait for hundreds of milliseconds.
      largeOnThread > 0 ||
      bytesOf(events) > maxBatchBytes
    )
      return null;
    batchesOnThread += 1;
    try {
      return await onThread(events);
    } catch {
      // The worker has exited, perhaps because of one of these events; the others must not fail
      // because of it.
      return null;
    } finally {
      batchesOnThread -= 1;
    }
  }

  function newBatch(): Batch {
    const events: ReceivedEvent[] = [];
    return { events, results: prepareBatch(events) };
  }

  return {
    prepare: async (body, context) => {
      if (body.length > largeEventBytes) return prepareLarge({ body, context });
      batch ??= newBatch();
      const place = batch.events.push({ body, context }) - 1;
      const results = await batch.results;
      if (results !== null) return preparedOf(results[place]);
      await turns.turn(body.length);
      return prepareEvent(body, context);
    },
    close: async () => thread.close(new Error('the service ends')),
  };
}

function bytesOf(events: readonly ReceivedEvent[]): number {
  return events.reduce((sum, { body }) => sum + body.length, 0);
}

function preparedOf(result: PrepareResult | undefined): PreparedEvent | null {
  if (result === undefined) throw new Error('the thread of events has left one out');
  if ('malformed' in result) throw malformed(result.malformed);
  return result.event;
}
