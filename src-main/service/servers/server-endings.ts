import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { createHttpClient, type ServerAccess } from '../http-client/http-client.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { readJsonResponse } from './read-json-response.ts';
import { shownCertificate } from './shown-certificate.ts';

/** When what a server is reached with expires, in milliseconds since 1970; null where that is not known. */
export interface ServerEndings {
  readonly certificate: number | null;
  readonly token: number | null;
}

const timeouts = { connectMs: 8000, idleMs: 8000, wholeMs: 20_000 };
const maxBytes = 65_536;
const OwnToken = Compile(Type.Object({ expires_at: Type.String({ minLength: 10 }) }));

/** Asks a server for its certificate, if a certain one is trusted, and when our token there expires. */
export async function serverEndings(source: ServerAccess): Promise<ServerEndings> {
  const [certificate, token] = await Promise.all([
    source.certificate === null ? null : withoutResponse(endOfCertificate(source)),
    source.token === null ? null : withoutResponse(endOfToken(source)),
  ]);
  return { certificate, token };
}

async function endOfCertificate({ baseUrl, certificate }: ServerAccess): Promise<number | null> {
  const shown = await shownCertificate(baseUrl);
  return shown.sha256 === certificate ? Date.parse(shown.valid_to) : null;
}

/** Other servers of this API may not have the route. */
async function endOfToken(source: ServerAccess): Promise<number | null> {
  const client = createHttpClient(source, { connections: 1, timeouts });
  try {
    const path = '/api/v4/personal_access_tokens/self';
    const response = await client.send({ path, headers: { accept: 'application/json' } });
    const json = await readJsonResponse(response, maxBytes);
    const at = OwnToken.Check(json) ? Date.parse(json.expires_at) : Number.NaN;
    return Number.isNaN(at) ? null : at;
  } finally {
    client.close();
  }
}

/** A server that cannot be reached tells nothing. */
async function withoutResponse(asked: Promise<number | null>): Promise<number | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HttpRequestError) return null;
    throw error;
  }
}
