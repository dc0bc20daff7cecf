/**
 * The thread that reads events where they are large or many: a megabyte of JSON would hold the event loop, and with it downloads, for tens of milliseconds, and
 * a storm is taken by two processors.
 */
import { Buffer } from 'node:buffer';
import { serveWorkerRequests } from '../../workers/worker-server.ts';
import type { PrepareResult, PrepareRequest } from './event-thread.ts';
import { IngestFailure } from '../normalise/ingest-failure.ts';
import { largeEventBytes } from '../normalise/ingest-sizes.ts';
import { detachBuffer } from '../events/detach-buffer.ts';
import type { EventContext } from '../normalise/normalise-event.ts';
import { prepareEvent } from '../events/prepare-event.ts';
import { compressEvent } from '../store/stored-event.ts';

serveWorkerRequests(({ bodies, events }: PrepareRequest): readonly PrepareResult[] => {
  let at = 0;
  const answers = events.map(({ length, context }) => {
    const body = Buffer.from(bodies.buffer, bodies.byteOffset + at, length);
    at += length;
    return answerOf(body, context);
  });
  detachBuffer(bodies, bodies.length);
  return answers;
});

function answerOf(body: Buffer, context: EventContext): PrepareResult {
  try {
    const event = prepareEvent(body, context);
    if (event === null) return { event };
    // Large ones are compressed alone, because the samples of groups are with the database; the others beside theirs, there.
    const payload = body.length > largeEventBytes ? compressEvent(event.payload, null) : JSON.stringify(event.payload);
    return { event: { ...event, payload } };
  } catch (error) {
    if (error instanceof IngestFailure) return { malformed: error.message };
    throw error;
  }
}
