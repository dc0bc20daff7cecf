import { toHttpRequestError, HttpRequestError } from '../fetching/engine/http/http-request-error.ts';
import type { HttpResponse } from '../fetching/engine/http/http-client.ts';

/**
 * Reads a JSON response of another server into memory. @throws HttpRequestError when it is not
 * JSON, too long or truncated.
 */
export async function readJsonResponse({ body, url }: HttpResponse, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw notAMeasurementServer(url);
      chunks.push(chunk);
    }
  } catch (error) {
    body.destroy();
    throw toHttpRequestError(error, url);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    throw notAMeasurementServer(url);
  }
}

/** The error for a response that is not that of a measurement server. */
export function notAMeasurementServer(url: URL): HttpRequestError {
  return new HttpRequestError(
    'not-http',
    'bad-answer',
    `${url.host} does not answer like a measurement server. Check its address.`,
  );
}
