/** The thread that reads large events: a megabyte of JSON would hold the event loop, and with it downloads, for tens of milliseconds. */
import { Buffer } from 'node:buffer';
import { answerInThread } from '../answer-in-thread.ts';
import type { EventAnswer, EventQuestion } from './event-thread.ts';
import { IngestFailure } from './ingest-failure.ts';
import { prepareEvent } from './prepare-event.ts';
import { compressEvent } from './stored-event.ts';

answerInThread(({ body, context }: EventQuestion): EventAnswer => {
  try {
    const event = prepareEvent(Buffer.from(body.buffer, body.byteOffset, body.byteLength), context);
    if (event === null || event.payload instanceof Uint8Array) return { event };
    // Alone: the samples of groups are with the database.
    return { event: { ...event, payload: compressEvent(event.payload, null) } };
  } catch (error) {
    if (error instanceof IngestFailure) return { malformed: error.message };
    throw error;
  }
});
