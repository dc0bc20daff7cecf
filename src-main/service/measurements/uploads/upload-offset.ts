import { HttpProblem } from '../../common/problem.ts';
import type { UploadRow } from '../store/uploads-store.ts';

/** @throws HttpProblem 409 when bytes are missing before this offset, or are there after it. */
export function requireOffset(from: number, there: number): void {
  if (there === from) return;
  throw new HttpProblem(409, `${there} bytes are there. Go on with them as Upload-Offset.`, {
    type: 'wrong-offset',
    headers: { 'upload-offset': String(there) },
  });
}

/**
 * The answer to bytes after all have come: none are needed.
 *
 * @throws HttpProblem 409 or 410 when they do not belong at the end.
 */
export function offsetAfterEnd(upload: UploadRow, from: number): number {
  if (upload.job_id !== null && from === upload.length) return from;
  throw new HttpProblem(upload.problem === null ? 409 : 410, upload.problem ?? 'All of this upload has come.');
}
