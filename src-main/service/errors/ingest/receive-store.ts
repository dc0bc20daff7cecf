import type { Buffer } from 'node:buffer';
import { tooLarge } from '../normalise/ingest-failure.ts';
import { maxEventBytes } from '../normalise/ingest-sizes.ts';
import { decodeBase64 } from './inflate-body.ts';
import type { IngestSlot } from './ingest-limits.ts';
import { joined, type RequestBody } from './request-body.ts';

/**
 * Reads the body of the `store` endpoint: one event.
 *
 * @throws IngestFailure 400 or 413.
 */
export async function receiveStore(body: RequestBody, slot: IngestSlot): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.chunks()) {
    size += chunk.length;
    if (size > maxEventBytes) throw tooLarge('The event', maxEventBytes);
    slot.hold(chunk.length);
    chunks.push(chunk);
  }
  const sent = joined(chunks);
  const event = decodeBase64(sent, maxEventBytes);
  if (event !== sent) slot.spend(event.length);
  return event;
}
