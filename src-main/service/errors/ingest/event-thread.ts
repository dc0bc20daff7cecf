import type { Buffer } from 'node:buffer';
import { availableParallelism } from 'node:os';
import { createWorkerClient } from '../../workers/worker-client.ts';
import { workerFile } from '../../workers/worker-file.ts';
import { RequestBatches, yieldToBatch } from '../events/request-batches.ts';
import { malformed } from '../normalise/ingest-failure.ts';
import { largeEventBytes } from '../normalise/ingest-sizes.ts';
import type { EventContext } from '../normalise/normalise-event.ts';
import { prepareInSteps, type PreparedEvent } from '../events/prepare-event.ts';

/** Events whose bodies lie one behind the other. */
export interface PrepareRequest {
  readonly bodies: Uint8Array;
  readonly events: readonly { readonly length: number; readonly context: EventContext }[];
}

/** Errors lose their class on the way, so a body that is no event is an answer. */
export type PrepareResult = { readonly event: PreparedEvent | null } | { readonly malformed: string };

export interface EventPreparer {
  /** As `prepareEvent`: large bodies, and those of full cohorts, on a thread of their own. */
  prepare(body: Buffer, context: EventContext): Promise<PreparedEvent | null>;
  close(): Promise<void>;
}

interface Waiting {
  readonly body: Buffer;
  readonly context: EventContext;
  readonly resolve: (event: PreparedEvent | null | Promise<PreparedEvent | null>) => void;
  readonly reject: (error: unknown) => void;
}

// So many at once come only when more is sent than one thread takes; fewer are answered sooner without the way to another one.
const fullBatchEvents = 12;
/** Of the events that are read in one turn of the event loop, and of a cohort for the thread, whose events are compressed here in one turn. */
const maxTurnBytes = 64 * 1024;
const maxBatchBytes = 4 * largeEventBytes;
// So many wait for the thread at most; what comes then is read here, so that neither has nothing to do.
const maxWaitingBatches = 4;
const maxHeapMb = 512;
// Programs that send large events send more of them.
const idleMs = 60_000;

/**
 * The thread starts with the first large event or full cohort.
 *
 * @param acceptsBatches whether there is a processor for it; on a single one it would only cost.
 */
export function eventPreparer(acceptsBatches = availableParallelism() > 1): EventPreparer {
  const thread = createWorkerClient<PrepareRequest, readonly PrepareResult[]>({
    file: workerFile(import.meta.url, 'event-worker'),
    name: 'events',
    maxHeapMb,
    idleMs,
  });
  let waiting: Waiting[] = [];
  let batches = 0;
  let large = 0;

  async function onThread(events: readonly Waiting[]): Promise<readonly PrepareResult[]> {
    // A copy of their own, because the bytes around them may belong to other items.
    const bodies = new Uint8Array(events.reduce((sum, { body }) => sum + body.length, 0));
    let at = 0;
    for (const { body } of events) {
      bodies.set(body, at);
      at += body.length;
    }
    return thread.request({ bodies, events: events.map(({ body, context }) => ({ length: body.length, context })) }, [
      bodies.buffer,
    ]);
  }

  const turns = new RequestBatches();
  async function prepareHere({ body, context, resolve }: Waiting, isAlone: boolean): Promise<void> {
    if (!isAlone) await turns.join(body.length);
    resolve(prepareInSteps(body, context));
  }

  /** Those that came in the same step. */
  async function sendNext(): Promise<void> {
    await yieldToBatch();
    const batch = waiting;
    waiting = [];
    const bytes = batch.reduce((sum, { body }) => sum + body.length, 0);
    const readHere = (): void => {
      for (const one of batch) void prepareHere(one, batch.length === 1 || bytes <= maxTurnBytes);
    };
    // Behind large ones they would wait for hundreds of milliseconds.
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
      // The thread has ended; what one of them did to it is not told to the others.
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
