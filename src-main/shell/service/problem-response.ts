import { STATUS_CODES } from 'node:http';

/** A failure of the window's scheme itself, in the same shape as those of the service (RFC 9457). */
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
