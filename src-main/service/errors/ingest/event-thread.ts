import type { Buffer } from 'node:buffer';
import { availableParallelism } from 'node:os';
import { createWorkerClient } from '../../workers/worker-client.ts';
import { workerFile } from '../../workers/worker-file.ts';
import { RequestBatches, yieldToBatch } from '../events/request-batches.ts';
import { malformed } from '../normalise/ingest-failure.ts';
import { largeEventBytes } from '../normalise/ingest-sizes.ts';
import type { EventContext } from '../normalise/normalise-event.ts';
import { prepareInSteps, type PreparedEvent } from '../events/prepare-event.ts';

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

interface Waiting {
  readonly body: Buffer;
  readonly context: EventContext;
  readonly resolve: (event: PreparedEvent | null | Promise<PreparedEvent | null>) => void;
  readonly reject: (error: unknown) => void;
}

// Only under load beyond what one thread handles do this many arrive at once; smaller batches get a
// faster response without a second thread.
const fullBatchEvents = 12;
/**
 * Limits, in bytes, of the events read in one turn of the event loop and of a batch for the worker;
 * the main thread compresses the events of a batch in one turn.
 */
const maxTurnBytes = 64 * 1024;
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
 * @param acceptsBatches whether batches go to the worker: on a machine with a single CPU this would
 * only cost time.
 */
export function eventPreparer(acceptsBatches = availableParallelism() > 1): EventPreparer {
  const file = workerFile(import.meta.url, 'event-worker');
  const thread = createWorkerClient<EventMethods>({ file, name: 'events', maxHeapMb, idleMs }, {});
  let waiting: Waiting[] = [];
  let batches = 0;
  let large = 0;

  async function onThread(events: readonly Waiting[]): Promise<readonly PrepareResult[]> {
    // Copied because the underlying buffers may also hold other items, and the copy is transferred.
    const bodies = new Uint8Array(events.reduce((sum, { body }) => sum + body.length, 0));
    let at = 0;
    for (const { body } of events) {
      bodies.set(body, at);
      at += body.length;
    }
    const parts = events.map(({ body, context }) => ({ length: body.length, context }));
    return thread.call('prepare', [bodies, parts], [bodies.buffer]);
  }

  const turns = new RequestBatches();
  async function prepareHere({ body, context, resolve }: Waiting, isAlone: boolean): Promise<void> {
    if (!isAlone) await turns.join(body.length);
    resolve(prepareInSteps(body, context));
  }

  /** Processes the events that were queued in the current step. */
  async function sendNext(): Promise<void> {
    await yieldToBatch();
    const batch = waiting;
    waiting = [];
    const bytes = batch.reduce((sum, { body }) => sum + body.length, 0);
    const readHere = (): void => {
      for (const one of batch) void prepareHere(one, batch.length === 1 || bytes <= maxTurnBytes);
    };
    // Behind large events on the worker a batch would wait for hundreds of milliseconds.
    if (
      !acceptsBatches ||
      batch.length < fullBatchEvents ||
      batches === maxWaitingBatches ||
      large > 0 ||
      bytes > maxBatchBytes
    )
      return readHere();
    batches += 1;
    try {
      const answers = await onThread(batch);
      batch.forEach(({ resolve, reject }, place) => settle(answers[place], resolve, reject));
    } catch {
      // The worker has exited, perhaps because of one of these events; the others must not fail
      // because of it.
      readHere();
    } finally {
      batches -= 1;
    }
    return undefined;
  }

  return {
    prepare: async (body, context) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { body, context, resolve, reject };
        if (body.length > largeEventBytes) {
          large += 1;
          onThread([one])
            .finally(() => (large -= 1))
            .then(([result]) => settle(result, resolve, reject), reject);
          return;
        }
        if (waiting.length === 0) void sendNext();
        waiting.push(one);
      }),
    close: async () => thread.close(new Error('the service ends')),
  };
}

function settle(result: PrepareResult | undefined, resolve: Waiting['resolve'], reject: Waiting['reject']): void {
  if (result === undefined) reject(new Error('the thread of events has left one out'));
  else if ('malformed' in result) reject(malformed(result.malformed));
  else resolve(result.event);
}
