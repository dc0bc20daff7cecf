import { toHttpRequestError, HttpRequestError } from '../../../http-client/http-request-error.ts';
import { FileFailure, type FetchContext } from './fetch-context.ts';
import type { HttpResponse } from '../../../http-client/http-response.ts';
import { Overlong, receiveBody, type WriteRange } from './receive-body.ts';
import { wrongLength } from './small-file.ts';
import { targetError } from '../../../files/target-folder-error.ts';
import type { JournalFile } from '../types.ts';

/**
 * Writes a response body into a range of a file.
 *
 * @param isWhole whether the server sends the whole file instead of the requested range.
 * @returns the offset after the last received byte.
 * @throws HttpRequestError, FileFailure, TargetError; bytes received before are written.
 */
export async function receiveSegment(
  context: FetchContext,
  file: JournalFile,
  response: HttpResponse,
  place: WriteRange,
  isWhole: boolean,
): Promise<number> {
  try {
    return await receiveBody(context, response, place);
  } catch (error) {
    if (error instanceof Overlong) {
      if (isWhole) throw wrongLength(file, null);
      throw new HttpRequestError('bad-response', `${response.url.host} sends more bytes than requested.`);
    }
    if (error instanceof Error && 'syscall' in error && error.syscall === 'write') throw targetError(error, file.path);
    throw error instanceof FileFailure ? error : toHttpRequestError(error, response.url);
  }
}
