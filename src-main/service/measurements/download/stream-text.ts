import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { transferStart } from './end-transfer.ts';
import type { Serving } from './serving.ts';

/** A text about the files of a measurement, made while it is sent. */
export interface StreamedText {
  readonly measurement: Pick<MeasurementRow, 'id' | 'file_count'>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly slices: AsyncIterable<string>;
}

/**
 * Answers with a text that is made slice by slice, each when the one before was sent. The audit trail
 * counts it as a manifest, and it ends when the user loses access.
 */
export async function streamText(
  serving: Pick<Serving, 'transfers'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { measurement, status, headers, slices }: StreamedText,
): Promise<void> {
  const { raw } = reply;
  const head = { ...headers, 'X-Request-Id': request.id };
  if (request.method === 'HEAD') {
    reply.hijack();
    raw.writeHead(status, head).end();
    return;
  }
  const what = {
    measurementId: measurement.id,
    what: 'manifest',
    fileIndex: null,
    fileCount: measurement.file_count,
  } as const;
  const transfer = serving.transfers.begin(transferStart(request, what, { status, length: 0, from: null, of: 0 }), raw);
  reply.hijack();
  raw.writeHead(status, head);
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const slice of slices) {
      const bytes = Buffer.from(slice);
      yield bytes;
      serving.transfers.sent(transfer, bytes.length);
    }
  }
  try {
    await pipeline(Readable.from(counted()), raw);
    serving.transfers.end(transfer, 'complete');
  } catch (error) {
    // A truncated text must not look complete.
    raw.destroy();
    if (!request.raw.destroyed) request.log.error({ err: error }, 'a list of files was not sent whole');
    serving.transfers.end(transfer, 'client-closed');
  }
}
