import { replaceUnseen } from '../common/unseen-characters.ts';
import type { HttpRequestError } from '../http-client/http-request-error.ts';
import type { Answer } from './upload-requests.ts';

export type UploadReason =
  | 'unreachable'
  | 'certificate'
  | 'token-refused'
  | 'no-access'
  | 'redirected'
  | 'server-busy'
  | 'server-failed'
  | 'over-quota'
  | 'id-taken'
  | 'refused'
  | 'bad-answer';

/**
 * Why an upload does not go on. `retry`: it may go on later by itself; `ask`: somebody has to
 * change something first, such as the token; `refused`: the server will never take these bytes.
 */
export class UploadFailure extends Error {
  readonly kind: 'retry' | 'ask' | 'refused';
  readonly reason: UploadReason;
  /** From the server's Retry-After, at most one day. */
  readonly retryAfterMs: number | null;

  constructor(kind: UploadFailure['kind'], reason: UploadReason, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

const maxDetailLength = 500;
const maxRetryAfterMs = 86_400_000;
const busy: ReadonlySet<number> = new Set([408, 423, 425, 429, 503]);

/** The failure for an answer other than the expected one. */
export function refusal({ status, headers, body }: Answer, host: string): UploadFailure {
  const said = replaceUnseen(textIn(body, 'detail') || textIn(body, 'message'), ' ').slice(0, maxDetailLength);
  const detail = said === '' ? `${host} answered with the status ${status}.` : said;
  const isTaken = textIn(body, 'type').endsWith(':upload-taken');
  const isOffset = status === 409 && headers['upload-offset'] !== undefined;
  if (isOffset || isTaken || busy.has(status))
    return new UploadFailure('retry', 'server-busy', detail, retryAfterOf(headers['retry-after']));
  if (status >= 500) return new UploadFailure('retry', 'server-failed', detail, retryAfterOf(headers['retry-after']));
  if (status >= 300 && status < 400)
    return new UploadFailure(
      'ask',
      'redirected',
      `${host} redirects to another address. That is not followed, because of the token: enter the server's real address.`,
    );
  if (status === 401)
    return new UploadFailure(
      'ask',
      'token-refused',
      `${host} does not accept the token: it is missing, wrong, expired or revoked. Enter another one.`,
    );
  if (status === 403) return new UploadFailure('ask', 'no-access', detail);
  if (status === 413) return new UploadFailure('ask', 'over-quota', detail);
  return new UploadFailure('refused', status === 409 ? 'id-taken' : 'refused', detail);
}

/** The failure for an error of the connection. */
export function connectionRefusal(error: HttpRequestError): UploadFailure {
  const isTemporary = error.reason === 'unreachable' || error.reason === 'bad-answer';
  if (isTemporary) return new UploadFailure('retry', 'unreachable', error.message);
  const reason = error.reason === 'certificate' || error.reason === 'redirected' ? error.reason : 'no-access';
  return new UploadFailure('ask', reason, error.message);
}

export function textIn(body: Answer['body'], member: string): string {
  const value = body[member];
  return typeof value === 'string' ? value : '';
}

function retryAfterOf(value: string | undefined): number | null {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : null;
}
