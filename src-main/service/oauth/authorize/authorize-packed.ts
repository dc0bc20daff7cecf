import { deflateRawSync, inflateRawSync } from 'node:zlib';

// More than any request for authorization that the server reads at all.
const maxPackedLength = 32 * 1024;

/**
 * The query of a request for authorization as one short word of characters that no address and no form escapes: it goes through the sign-in within another
 * address, where each of its percent signs would be escaped once more.
 */
export function packQuery(query: URLSearchParams): string {
  return deflateRawSync(query.toString()).toString('base64url');
}

/** What `packQuery` was given; empty for anything that it has not made. */
export function unpackQuery(word: string): URLSearchParams {
  try {
    return new URLSearchParams(
      inflateRawSync(Buffer.from(word, 'base64url'), { maxOutputLength: maxPackedLength }).toString(),
    );
  } catch {
    return new URLSearchParams();
  }
}
