import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { streamText, type StreamedText } from '../download/stream-text.ts';
import type { Serving } from '../download/serving.ts';
import { defaultTransferLimits } from '../transfers/transfers.ts';
import type { Resource } from './resource.ts';

/**
 * Sends a text about a folder while it is made. What is in a measurement is counted and guarded as
 * its manifest is; the list of measurements is no transfer, as in the API.
 */
export async function sendText(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Exclude<Resource, { readonly kind: 'file' }>,
  text: Omit<StreamedText, 'measurement'>,
): Promise<void> {
  if (resource.kind === 'folder') {
    await streamText(serving, request, reply, { ...text, measurement: resource.measurement });
    return;
  }
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(text.status, { ...text.headers, 'X-Request-Id': request.id });
  if (request.method === 'HEAD') {
    raw.end();
    return;
  }
  // A client that stops reading would hold the connection.
  raw.setTimeout(defaultTransferLimits.stallMs, () => raw.destroy());
  try {
    await pipeline(Readable.from(text.slices), raw);
  } catch (error) {
    raw.destroy();
    if (!request.raw.destroyed) request.log.error({ err: error }, 'a list of measurements was not sent whole');
  }
}
