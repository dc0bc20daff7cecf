import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatBytes } from '../../common/format-bytes.ts';
import { principalOf } from '../../http/authentication.ts';
import { listingStart } from '../../http/pages/listing-page.ts';
import { html } from '../../http/pages/page-html.ts';
import type { FileRow, FilesStore } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { Serving } from './serving.ts';
import { streamText } from './stream-text.ts';

const rowsPerSlice = 256;

export const listingHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Cookie, Accept, Accept-Encoding',
} as const;

/**
 * Serves the files of a measurement as an HTML page of links, for browsers and link-following
 * programs. The audit trail counts it as a manifest.
 */
export async function serveListing(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
): Promise<void> {
  const measurement = await serving.access.readable(principalOf(request), measurementId);
  // Links are relative to the URL with a trailing slash.
  const path = request.url.split('?', 1)[0] ?? '';
  const prefix = path.endsWith('/') ? '' : 'files/';
  await streamText(serving, request, reply, {
    measurement,
    status: 200,
    headers: listingHeaders,
    slices: listing(serving.services.files, measurement, prefix),
  });
}

/** Yields the page in slices, each produced when the previous one was sent. */
async function* listing(
  files: Pick<FilesStore, 'from'>,
  measurement: Pick<MeasurementRow, 'id' | 'title'>,
  prefix: string,
): AsyncGenerator<string> {
  yield listingStart(`Files of ${measurement.id}`);
  for (let index = 0; ;) {
    const rows = await files.from(measurement.id, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) break;
    yield rows.map((row) => entry(row, prefix)).join('');
    index = last.idx + 1;
    await new Promise(setImmediate);
  }
  yield '\n</ul>\n</body>\n</html>\n';
}

function entry(row: FileRow, prefix: string): string {
  return html`
<li><a href="${prefix}${String(row.idx)}">${row.path}</a> ${formatBytes(row.length)}</li>`.text;
}
