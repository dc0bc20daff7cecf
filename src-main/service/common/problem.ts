import { http } from './node-http.ts';

export interface ProblemOptions {
  /**
   * The last part of the problem's type, such as `file-changed`; without it the type is
   * `about:blank` (RFC 9457 section 4.2.1).
   */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The `error` member of GitLab-shaped answers and of the Bearer challenge (RFC 6750 section 3.1).
   */
  readonly error?: string;
  /** The scopes that would suffice, for `insufficient_scope`. */
  readonly scope?: string;
  /** GitLab's message where it says more than the status, such as "404 Project Not Found". */
  readonly gitlab?: string;
  readonly cause?: unknown;
}

/** An expected failure and its answer: `detail` is public and says what is wrong and what to do. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: string | undefined;
  readonly scope: string | undefined;
  readonly gitlab: string | undefined;

  constructor(status: number, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HttpProblem';
    this.status = status;
    this.type = options.type;
    this.headers = options.headers ?? {};
    this.error = options.error;
    this.scope = options.scope;
    this.gitlab = options.gitlab;
  }
}

/** 400 for an invalid value in a request. */
export function invalidRequest(detail: string): HttpProblem {
  return new HttpProblem(400, detail, { type: 'invalid-request' });
}

/**
 * The problem+json document of a failure (RFC 9457), with the id in the log line of the request.
 */
export function problemBody(problem: HttpProblem, requestId: string): string {
  return JSON.stringify({
    type: typeOf(problem),
    title: http.STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    request_id: requestId,
  });
}

/** The `type` of a failure, which programs compare. */
function typeOf(problem: HttpProblem): string {
  return problem.type === undefined ? 'about:blank' : `urn:benchport:problem:${problem.type}`;
}

/**
 * The failure in the shape of GitLab's API: `{"message"}`, or `{"error","error_description"}` where
 * OAuth defines an error code.
 */
export function gitlabBody(problem: HttpProblem): string {
  if (problem.error !== undefined) {
    return JSON.stringify({
      error: problem.error,
      error_description: problem.message,
      ...(problem.scope === undefined ? {} : { scope: problem.scope }),
    });
  }
  if (problem.gitlab !== undefined) return JSON.stringify({ message: problem.gitlab });
  // GitLab repeats the status, and adds a reason after a dash if there is one.
  if (problem.status === 401) return JSON.stringify({ message: '401 Unauthorized' });
  if (problem.status === 403) {
    // An extension of GitLab's shape: a screen needs the type to know what is missing, such as the
    // password.
    return JSON.stringify({
      message: `403 Forbidden - ${problem.message}`,
      ...(problem.type === undefined ? {} : { type: typeOf(problem) }),
    });
  }
  if (problem.status === 404) return JSON.stringify({ message: '404 Not found' });
  return JSON.stringify({ message: problem.message });
}
