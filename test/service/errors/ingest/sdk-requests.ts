import { readFileSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

/** A request as a real SDK sent it. */
export interface SdkRequest {
  readonly sdk: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly bodyBase64: string;
  readonly bodyEncoding: 'raw' | 'gzip' | 'b64zlib';
}

const file = path.resolve(import.meta.dirname, '../../../fixtures/sentry-sdk-requests.json');
const recordedBase = 'glet_abc123@127.0.0.1:8977/api/v4/error_tracking/collector/5';

/** All recorded requests, in the order in which they were sent. */
export function sdkRequests(): readonly SdkRequest[] {
  return JSON.parse(readFileSync(file, 'utf8')) as SdkRequest[];
}

/** The body without its encoding. */
export function plainBody(request: SdkRequest): Buffer {
  const body = Buffer.from(request.bodyBase64, 'base64');
  if (request.bodyEncoding === 'gzip') return zlib.gunzipSync(body);
  return request.bodyEncoding === 'b64zlib' ? zlib.inflateSync(Buffer.from(body.toString('latin1'), 'base64')) : body;
}

function encoded(request: SdkRequest, plain: Buffer): Buffer {
  if (request.bodyEncoding === 'gzip') return zlib.gzipSync(plain);
  return request.bodyEncoding === 'b64zlib' ? Buffer.from(zlib.deflateSync(plain).toString('base64')) : plain;
}

export interface Target {
  readonly url: string;
  readonly projectId: number;
  readonly publicKey: string;
}

/** The same request for another host, project and key: what is in a header line of an envelope changes, what the payloads say does not. */
export function readdressed(
  request: SdkRequest,
  target: Target,
): { readonly url: string; readonly headers: Record<string, string>; readonly body: Buffer } {
  const headers: Record<string, string> = {};
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]?.toLowerCase() ?? '';
    if (['host', 'connection', 'content-length', 'transfer-encoding', 'te', 'accept-encoding'].includes(name)) continue;
    headers[name] = (request.rawHeaders[at + 1] ?? '').replace('glet_abc123', target.publicKey);
  }
  const plain = plainBody(request).toString('latin1');
  const end = plain.indexOf('\n') + 1;
  const host = target.url.replace('http://', '');
  const readdress = (text: string) =>
    text.replace(recordedBase, `${target.publicKey}@${host}/api/v4/error_tracking/collector/${target.projectId}`);
  const body = request.url.includes('/envelope') ? readdress(plain.slice(0, end)) + plain.slice(end) : plain;
  const address = request.url.replace('/api/5/', `/api/${target.projectId}/`).replace('glet_abc123', target.publicKey);
  return { url: `${target.url}${address}`, headers, body: encoded(request, Buffer.from(body, 'latin1')) };
}
