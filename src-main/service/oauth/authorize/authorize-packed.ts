import { deflateRawSync, inflateRawSync } from 'node:zlib';

// Bytes; above the length of any authorization request that the server accepts.
const maxPackedLength = 32 * 1024;

/**
 * Encodes the query of an authorization request in base64url, so that it can be nested in the
 * address of the sign-in page without percent signs being escaped twice.
 */
export function packQuery(query: URLSearchParams): string {
  return deflateRawSync(query.toString()).toString('base64url');
}

/** Decodes the result of `packQuery`; empty for any other input. */
export function unpackQuery(word: string): URLSearchParams {
  try {
    return new URLSearchParams(
      inflateRawSync(Buffer.from(word, 'base64url'), { maxOutputLength: maxPackedLength }).toString(),
    );
  } catch {
    return new URLSearchParams();
  }
}
