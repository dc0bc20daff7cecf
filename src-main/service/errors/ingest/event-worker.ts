/**
 * Worker thread that reads large events and full batches. A megabyte of JSON would block the event
 * loop, and with it downloads, for tens of milliseconds; under load it lets two CPUs read events.
 */
import { Buffer } from 'node:buffer';
import { serveWorker } from '../../workers/worker-server.ts';
import type { EventMethods, PrepareResult } from './event-thread.ts';
import { IngestFailure } from '../normalise/ingest-failure.ts';
import { largeEventBytes } from '../normalise/ingest-sizes.ts';
import { detachBuffer } from '../../common/detach-buffer.ts';
import type { EventContext } from '../normalise/normalise-event.ts';
import { prepareEvent } from '../events/prepare-event.ts';
import { compressEvent } from '../store/stored-event.ts';

serveWorker<EventMethods>({
  prepare: (bodies, events) => {
    let at = 0;
    const answers = events.map(({ length, context }) => {
      const body = Buffer.from(bodies.buffer, bodies.byteOffset + at, length);
      at += length;
      return answerOf(body, context);
    });
    detachBuffer(bodies, bodies.length);
    return answers;
  },
});

function answerOf(body: Buffer, context: EventContext): PrepareResult {
  try {
    const event = prepareEvent(body, context);
    if (event === null) return { event };
    // Large events are compressed here, without a dictionary, because dictionaries live with the
    // database on the main thread; the others are compressed there with their group's dictionary.
    const payload = body.length > largeEventBytes ? compressEvent(event.payload, null) : JSON.stringify(event.payload);
    return { event: { ...event, payload } };
  } catch (error) {
    if (error instanceof IngestFailure) return { malformed: error.message };
    throw error;
  }
}
