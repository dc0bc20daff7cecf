import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { decodeBase64, decodeBody, joined } from './decode-body.ts';
import { bodyLimits, maxEventBytes } from '../normalise/ingest-sizes.ts';
import { tooLarge } from '../normalise/ingest-failure.ts';
import type { IngestSlot } from './ingest-limits.ts';

/**
 * Reads the body of the `store` endpoint: one event.
 *
 * @throws IngestFailure 400 or 413.
 */
export async function receiveStore(request: IncomingMessage, slot: IngestSlot): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxEventBytes) throw tooLarge('The event', maxEventBytes);
    slot.hold(chunk.length);
    chunks.push(chunk);
  };
  const sink = { take, spend: (bytes: number) => slot.spend(bytes), join: async (bytes: number) => slot.join(bytes) };
  const forget = await decodeBody(request, request.headers['content-encoding'], bodyLimits, sink);
  slot.after(forget);
  const body = joined(chunks);
  const event = decodeBase64(body, maxEventBytes);
  if (event !== body) slot.spend(event.length);
  return event;
}
