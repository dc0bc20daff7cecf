import { HttpRequestError } from '../../../http-client/http-request-error.ts';
import { badPieces } from '../checksums/bad-pieces.ts';
import { fileAddress } from '../manifest/file-address.ts';
import { readPieces, type PieceList } from '../manifest/read-pieces.ts';
import { bytesIn } from '../pieces.ts';
import { targetError } from '../../../files/target-folder-error.ts';
import type { JournalFile, Piece } from '../types.ts';
import type { FetchContext } from './fetch-context.ts';

const attempts = 3;
const restMs = 1000;

/** The ranges of a fetched file that are wrong by the hashes of its pieces. */
export interface WrongPieces {
  readonly wrong: readonly Piece[];
  /** Number of all pieces. */
  readonly pieces: number;
  readonly length: number;
}

/**
 * Finds the pieces of a whole file that are wrong, by the hashes that the server has of them.
 *
 * @returns null where it has none, or where by them nothing or everything is wrong.
 * @throws TargetError, or the signal's reason.
 */
export async function wrongPieces(
  context: FetchContext,
  file: JournalFile,
  fd: number,
  length: number,
): Promise<WrongPieces | null> {
  const list = await listOf(context, file, length);
  if (list === null) return null;
  const wrong = await badPieces(fd, length, list, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw targetError(error, file.path);
  });
  if (wrong.length === 0 || bytesIn(wrong) === length) return null;
  return { wrong, pieces: list.sha256.length, length };
}

async function listOf(context: FetchContext, file: JournalFile, length: number): Promise<PieceList | null> {
  const { client, signal, rest } = context;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readPieces(client, fileAddress(context, file), length, signal);
    } catch (error) {
      if (!(error instanceof HttpRequestError)) throw error;
      if (attempt === attempts) return null;
      await rest(restMs, signal);
    }
  }
}
