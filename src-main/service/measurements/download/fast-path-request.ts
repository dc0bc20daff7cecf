import type { IncomingMessage } from 'node:http';
import { bearerToken } from '../../http/read-credential.ts';
import type { TransferKind } from '../../transfers/transfer-rows.ts';
import type { ByteRange } from '../../http/semantics/byte-ranges.ts';

/**
 * A request for a manifest, a whole file, or one range of a file or archive, in the form that most
 * clients use.
 */
export interface FastPathRequest {
  readonly measurementId: string;
  readonly what: TransferKind;
  /** Index of the file; null for an archive or a manifest. */
  readonly index: string | null;
  readonly token: string;
  readonly host: string;
  /** Not yet clamped to the length of the file; null for the whole. */
  readonly range: ByteRange | null;
  readonly rangeHeader: string | null;
  readonly ifRange: string | null;
  readonly userAgent: string | null;
  readonly acceptEncoding: string;
}

const address = /^\/measurements\/([A-Za-z0-9._-]+)(?:\/(files)(?:\/(\d{1,10}))?)?$/;
const oneRange = /^bytes=(\d{1,15})-(\d{1,15})$/;

/**
 * Parses a request of this form.
 *
 * @returns null for any other, and when a header is repeated or could change the response.
 */
export function parseFastPathRequest(request: IncomingMessage): FastPathRequest | null {
  if (request.method !== 'GET' || request.httpVersion !== '1.1') return null;
  const place = address.exec(request.url ?? '');
  if (!place) return null;
  const found: Partial<Record<string, string>> = {};
  const raw = request.rawHeaders;
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    switch (name) {
      case 'host':
      case 'authorization':
      case 'range':
      case 'if-range':
      case 'user-agent':
      case 'connection':
      case 'accept-encoding':
      case 'accept':
        if (found[name] !== undefined) return null;
        found[name] = raw[i + 1] ?? '';
        break;
      case 'accept-language':
      // Every response carries the digests, requested or not.
      case 'want-digest':
      // TrustedProxies decides whether these headers count.
      case 'x-forwarded-for':
      case 'x-forwarded-proto':
      case 'x-real-ip':
        break;
      default:
        return null;
    }
  }
  const { host, authorization, range: rangeHeader = null, connection } = found;
  const token = authorization === undefined ? null : bearerToken(authorization);
  if (host === undefined || token === null) return null;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null;
  const index = place[3] ?? null;
  const what = place[2] === undefined ? 'archive' : index === null ? 'manifest' : 'file';
  // A browser may want the HTML listing.
  if (what === 'manifest' && found['accept']?.toLowerCase().includes('html') === true) return null;
  const ifRange = found['if-range'] ?? null;
  const range = rangeHeader === null ? null : oneRange.exec(rangeHeader);
  // A whole archive is long, If-Range has no meaning without Range, and a manifest has no ranges.
  if (rangeHeader === null ? what === 'archive' || ifRange !== null : what === 'manifest' || !range) return null;
  return {
    measurementId: place[1] ?? '',
    what,
    index,
    token,
    host,
    range: range && { start: Number(range[1]), end: Number(range[2]) + 1 },
    rangeHeader,
    ifRange,
    userAgent: found['user-agent']?.slice(0, 300) ?? null,
    acceptEncoding: found['accept-encoding'] ?? '',
  };
}
