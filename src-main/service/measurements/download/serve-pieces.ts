import type { FastifyReply, FastifyRequest } from 'fastify';
import { countOf } from '../../common/count-of.ts';
import { HttpProblem } from '../../common/problem.ts';
import { principalOf } from '../../http/authentication.ts';
import { strongTag } from '../../http/semantics/entity-tags.ts';
import { checkPreconditions } from '../../http/semantics/conditional.ts';
import { parseIndex } from '../../files/file-index.ts';
import type { FileRow } from '../store/files-store.ts';
import { hashBytes, pieceBytes, pieceCount, piecesPerPage } from '../store/piece-hashes.ts';
import type { PiecesStore } from '../store/pieces-store.ts';
import { describePieces, headerRecord } from '../content/serve-headers.ts';
import type { Serving } from './serving.ts';
import { streamText } from './stream-text.ts';

/**
 * Serves the SHA-256 of each piece of a file, as JSON with `pieceLength` and `sha256`, by which a
 * client finds the piece that is wrong and fetches that range alone.
 */
export async function servePieces(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
  indexText: string,
): Promise<void> {
  const measurement = await serving.access.readable(principalOf(request), measurementId);
  const index = parseIndex(indexText);
  const { files, pieces } = serving.services;
  const row = index === null ? null : await files.at(measurementId, index);
  if (!row)
    throw new HttpProblem(
      404,
      `Measurement ${measurementId} has ${countOf(measurement.file_count, 'file')}, counted from 0; there is no file with this index.`,
    );
  const count = pieceCount(row.length);
  if (count > 1 && (await pieces.page(measurementId, row.idx, 0)) === null)
    throw new HttpProblem(
      404,
      `Pieces of this file were not hashed when it was registered.${measurement.object_key === null ? ' They are when the measurement is verified.' : ''}`,
      { type: 'no-pieces' },
    );
  const description = describePieces(strongTag(`pieces-${row.sha256.toString('hex')}`), row.registered_at);
  const verdict = checkPreconditions(request.headers, description);
  if (verdict === 'precondition-failed')
    throw new HttpProblem(412, 'The current content does not match the condition of the request.');
  if (verdict === 'not-modified') {
    await reply.code(304).headers(headerRecord(description.validatorHeaders)).send();
    return;
  }
  const headers = { ...headerRecord(description.bodyHeaders), 'Content-Type': description.contentType };
  await streamText(serving, request, reply, {
    measurement,
    status: 200,
    headers,
    slices: slicesOf(pieces, row, count),
  });
}

async function* slicesOf(pieces: PiecesStore, row: FileRow, count: number): AsyncGenerator<string> {
  yield `{"pieceLength":${pieceBytes},"sha256":[`;
  // The hash of a file of one piece is that of the file, and nothing more is stored.
  const pages = count > 1 ? Math.ceil(count / piecesPerPage) : 0;
  if (count === 1) yield `"${row.sha256.toString('hex')}"`;
  for (let page = 0; page < pages; page += 1) {
    const hashes = await pieces.page(row.measurement_id, row.idx, page);
    if (hashes === null) throw new Error(`page ${page} of the pieces of file ${row.idx} is missing`);
    yield `${page === 0 ? '' : ','}${hexTexts(Buffer.from(hashes)).join(',')}`;
    await new Promise(setImmediate);
  }
  yield ']}';
}

function hexTexts(hashes: Buffer): readonly string[] {
  return Array.from(
    { length: hashes.length / hashBytes },
    (_, at) => `"${hashes.toString('hex', at * hashBytes, (at + 1) * hashBytes)}"`,
  );
}
