import type { HttpResponse } from './http-response.ts';

class TooLong extends Error {}

/**
 * Reads the body of a response as UTF-8.
 *
 * @returns null if it is longer than `maxBytes`; the rest is not received.
 * @throws HttpRequestError, or the signal's reason
 */
export async function readText(response: HttpResponse, maxBytes: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    await response.read((bytes) => {
      length += bytes.length;
      if (length > maxBytes) throw new TooLong();
      parts.push(Buffer.from(bytes));
      return undefined;
    });
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  } finally {
    response.end();
  }
  return Buffer.concat(parts).toString();
}
