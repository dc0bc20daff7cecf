import { STATUS_CODES } from 'node:http';

/** An error response of the window's scheme itself, in the service's format (RFC 9457). */
export function problemResponse(
  status: number,
  detail: string,
  type?: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = {
    type: type === undefined ? 'about:blank' : `urn:benchport:problem:${type}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}
