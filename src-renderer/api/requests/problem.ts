import type { Problem } from '../../../src-main/service/contract/common.ts';

/**
 * A failed request, with the service's text, or a network error when the service could not be
 * reached.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /**
   * Empty where the detail is enough: a problem's title may be just the name of its status (RFC
   * 9457 section 4.2.1).
   */
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  readonly requestId: string | null;
  /**
   * The last part of the problem's type, such as `confirmation-needed`; null where the status is
   * enough.
   */
  readonly type: string | null;

  constructor(problem: {
    title: string;
    detail: string;
    status: number;
    requestId: string | null;
    type?: string | null;
  }) {
    super(problem.detail || problem.title);
    this.title = problem.title;
    this.detail = problem.detail;
    this.status = problem.status;
    this.requestId = problem.requestId;
    this.type = problem.type ?? null;
  }
}

/** The user cancelled the action. Nothing was changed, and nothing is reported. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

function isProblem(body: unknown): body is Partial<Problem> {
  return typeof body === 'object' && body !== null && 'title' in body;
}

/**
 * Routes in GitLab's shape respond `{"message"}` or `{"error","error_description"}` instead of a
 * problem.
 */
function gitlabMessage(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  for (const member of ['error_description', 'message', 'error'] as const) {
    const value = (body as Record<string, unknown>)[member];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/**
 * `urn:benchport:problem:NAME` of a problem, or the `error` code of a response in GitLab's shape.
 */
function typeOf(body: unknown): string | null {
  const { type, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof type === 'string' && type.startsWith('urn:benchport:problem:'))
    return type.slice('urn:benchport:problem:'.length);
  return typeof error === 'string' ? error : null;
}

/** Reads the reason of a failure from the response. */
export async function errorOfResponse(response: Response): Promise<ApiError> {
  let body: unknown = null;
  try {
    body = await response.json();
  } catch {
    // A proxy or a crash may answer with HTML or nothing: the status is enough.
  }
  const requestId = response.headers.get('x-request-id');
  if (isProblem(body)) {
    return new ApiError({
      title: body.detail ? '' : (body.title ?? `The service answered ${response.status}`),
      detail: body.detail ?? '',
      status: response.status,
      requestId: body.request_id ?? requestId,
      type: typeOf(body),
    });
  }
  return new ApiError({
    title: '',
    detail: gitlabMessage(body) ?? `The service answered ${response.status} ${response.statusText}`.trimEnd(),
    status: response.status,
    requestId,
    type: typeOf(body),
  });
}

/** A request without a response. */
export function errorOfNetwork(): ApiError {
  return new ApiError({
    title: 'The service does not answer',
    detail: 'The Benchport service cannot be reached. It may be starting again; try again in a moment.',
    status: 0,
    requestId: null,
  });
}

/**
 * A request that was aborted because no response arrived.
 * @param waitedMs how long it waited
 */
export function errorOfSilence(waitedMs: number, write: boolean): ApiError {
  return new ApiError({
    title: `The service has not answered for ${Math.round(waitedMs / 1000)} s`,
    detail: write
      ? 'This may or may not have been carried out. Check before you repeat it.'
      : 'Its disk may be slow, or it may have been stopped. Nothing was changed.',
    status: 0,
    requestId: null,
    type: 'no-answer',
  });
}

/** Converts any thrown value to an ApiError for display. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({
    title: 'Something failed',
    detail: error instanceof Error ? error.message : String(error),
    status: 0,
    requestId: null,
  });
}
