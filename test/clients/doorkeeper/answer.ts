import http from 'node:http';

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | string;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>> | string;
  /** Sent unchanged, with a type. */
  readonly raw?: { readonly type: string; readonly text: string };
  /** Name and password of `Authorization: Basic`, not form-encoded. */
  readonly basic?: readonly [string, string];
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request to one provider; each loopback address in `from` has its own count of failures.
 */
export function ask(port: number, from: string, question: Question): Promise<Answer> {
  const body = question.raw?.text ?? (question.form === undefined ? null : formOf(question.form));
  const type = question.raw?.type ?? 'application/x-www-form-urlencoded';
  const query = question.query === undefined ? '' : `?${formOf(question.query)}`;
  const headers = {
    ...(body === null ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    ...(question.basic ? { authorization: `Basic ${Buffer.from(question.basic.join(':')).toString('base64')}` } : {}),
    ...(question.bearer === undefined ? {} : { authorization: `Bearer ${question.bearer}` }),
    ...question.headers,
  };
  const method = question.method ?? (body === null ? 'GET' : 'POST');
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      localAddress: from,
      method,
      path: question.path + query,
      headers,
      agent: false,
    };
    const request = http.request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

function formOf(fields: Readonly<Record<string, string>> | string): string {
  return typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
}

/** The members of a JSON response; empty for any other. */
export function membersOf(answer: Answer): Readonly<Record<string, unknown>> {
  try {
    const body = JSON.parse(answer.text) as unknown;
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
