import { RawClient } from '../raw-client.ts';

/** The first bytes of a TLS client (RFC 8446 sections 4.1.2 and 5.1). */
export const tlsHello = Buffer.from('16030100c8010000c40303', 'hex');

/** Sends plain text to a port. @returns everything received until the other side closes. */
export async function sayInClear(
  url: string,
  text: string | Buffer = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
): Promise<string> {
  const client = await RawClient.open(url);
  client.socket.write(text);
  await client.closed;
  return client.text;
}

/**
 * The whole response to HTTP on a TLS port, or the reverse: a problem document, the end, and no
 * redirect.
 */
export const refusedIn = (words: string): RegExp =>
  new RegExp(`^HTTP/1\\.1 400 (?:(?!Location).)*Connection: close\r\n\r\n\\{.*${words}[^\r]*\\}$`, 's');
