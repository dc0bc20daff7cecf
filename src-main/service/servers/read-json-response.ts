import { parseJson } from '../common/parse-json.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import type { HttpResponse } from '../http-client/http-response.ts';
import { readText } from '../http-client/read-text.ts';

/** Reads a JSON response of another server. @throws HttpRequestError, also if it is too long */
export async function readJsonResponse(response: HttpResponse, maxBytes: number): Promise<unknown> {
  const text = await readText(response, maxBytes);
  const json = text === null ? null : parseJson(text);
  if (json === null) throw notAMeasurementServer(response.url);
  return json;
}

/** The error for a response that is not that of a measurement server. */
export function notAMeasurementServer(url: URL): HttpRequestError {
  return new HttpRequestError('not-http', `${url.host} does not answer like a measurement server. Check its address.`);
}
