import { toHttpRequestError, HttpRequestError } from '../http/http-request-error.ts';
import { FileFailure, type FetchContext } from './fetch-context.ts';
import type { ConnectionResponse } from '../http/download-connection.ts';
import { Overlong, receiveBody, type Place } from './receive-body.ts';
import { receiveDirectly } from './receive-directly.ts';
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
  response: ConnectionResponse,
  place: Place,
  isWhole: boolean,
): Promise<number> {
  try {
    return await (response.transport === 'node'
      ? receiveBody(context, response.response, place)
      : receiveDirectly(context, response.read, place));
  } catch (error) {
    if (error instanceof Overlong) {
      if (isWhole) throw wrongLength(file, null);
      throw new HttpRequestError('status', 'bad-answer', `${response.url.host} sends more bytes than requested.`);
    }
    if (error instanceof Error && 'syscall' in error && isOfDisk(error.syscall)) throw targetError(error, file.path);
    throw error instanceof FileFailure ? error : toHttpRequestError(error, response.url);
  }
}

function isOfDisk(syscall: unknown): boolean {
  return syscall === 'write' || syscall === 'writev' || syscall === 'ftruncate';
}
