/** The thread that reads large events: a megabyte of JSON would hold the event loop, and with it downloads, for tens of milliseconds. */
import { Buffer } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import type { EventReply, EventRequest } from './event-thread.ts';
import { IngestFailure } from './ingest-failure.ts';
import { prepareEvent } from './prepare-event.ts';
import { compressEvent } from './stored-event.ts';

function perform({ id, body, context }: EventRequest): EventReply {
  try {
    const event = prepareEvent(Buffer.from(body.buffer, body.byteOffset, body.byteLength), context);
    if (event === null || event.payload instanceof Uint8Array) return { id, event };
    // Alone: the samples of groups are with the database.
    return { id, event: { ...event, payload: compressEvent(event.payload, null) } };
  } catch (error) {
    // Errors lose their class on the way.
    if (error instanceof IngestFailure) return { id, malformed: error.message };
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}

const port = parentPort;
if (!port) throw new Error('this file is the start of a worker thread');
port.on('message', (request: EventRequest) => port.postMessage(perform(request)));
