import type { Answer, SendRequest } from './upload-requests.ts';

/** A server, and how requests are sent to it. */
export interface JsonServer {
  readonly send: SendRequest;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request with a JSON body.
 *
 * @param content null for none.
 * @returns the answer, whatever its status. @throws HttpRequestError, or the signal's reason.
 */
export async function requestJson(
  { send, baseUrl, signal }: JsonServer,
  method: 'GET' | 'POST',
  route: string,
  content: object | null,
): Promise<Answer> {
  const url = new URL(`${baseUrl}${route}`);
  if (content === null) return send(url, { method }, signal);
  const text = Buffer.from(JSON.stringify(content));
  const headers = { 'content-type': 'application/json', 'content-length': text.length };
  return send(url, { method, headers, body: async (take) => take(text) }, signal);
}
