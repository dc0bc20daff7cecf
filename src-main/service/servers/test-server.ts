import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { HttpRequestError, timeoutError } from '../fetching/engine/http/http-request-error.ts';
import {
  createHttpClient,
  type Send,
  type HttpClient,
  type HttpTimeouts,
} from '../fetching/engine/http/http-client.ts';
import type { FetchSource } from '../fetching/engine/types.ts';
import { shownName } from '../files/inspect-findings.ts';
import { readJsonResponse } from './read-json-response.ts';
import { isMeasurementList } from './remote-measurements.ts';
import { failureOf, type ServerFailure } from './server-failure.ts';
import type { ServerFinding } from './servers-store.ts';
import { readableFingerprint, shownCertificate } from './shown-certificate.ts';

const wholeTestMs = 20_000;
const defaultTimeouts: HttpTimeouts = { connectMs: 8000, idleMs: 8000 };
const maxBytes = 1024 * 1024;
// An id that no server has. A server of this API checks the token before the id, so the status
// tells whether the token is valid.
const noMeasurement = '/measurements/benchport-connection-test/files';
const User = Compile(Type.Object({ username: Type.String({ minLength: 1 }) }));

/**
 * Tests whether measurements can be fetched from a server, whether its token is accepted, and
 * whether it can list its measurements.
 */
export async function testServer(source: FetchSource, timeouts = defaultTimeouts): Promise<ServerFinding> {
  const signal = AbortSignal.timeout(wholeTestMs);
  const client = startSafely(source, timeouts);
  if ('problem' in client) return failed(client);
  try {
    const list = await look(client.send, '/api/v4/measurements?per_page=1', signal);
    if ('json' in list && isMeasurementList(list.json))
      return { ...fine, lists: true, username: await usernameOf(client.send, signal) };
    const trouble = await downloadProblem(source, timeouts, client.send, signal);
    return trouble === null
      ? { ...fine, lists: false, username: await usernameOf(client.send, signal) }
      : failed(trouble);
  } catch (error) {
    const failure = signal.aborted ? timeoutError(new URL(source.baseUrl).host) : error;
    if (!(failure instanceof HttpRequestError)) throw error;
    return failed(await withHint(failureOf(failure, source.token !== null), failure, source.baseUrl));
  } finally {
    client.close();
  }
}

const fine = { state: 'ok', problem: null, message: null } as const;

function failed(trouble: ServerFailure): ServerFinding {
  return { state: 'failed', ...trouble, lists: null, username: null };
}

function startSafely(source: FetchSource, timeouts: HttpTimeouts): HttpClient | ServerFailure {
  try {
    return createHttpClient(source, { connections: 1, timeouts });
  } catch (error) {
    if (error instanceof HttpRequestError) return failureOf(error, source.token !== null);
    throw error;
  }
}

/** @throws HttpRequestError when there is no response; a refusal by status is returned. */
async function look(
  ask: Send,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly json: unknown } | { readonly refusal: HttpRequestError }> {
  try {
    return {
      json: await readJsonResponse(await ask({ path, headers: { accept: 'application/json' }, signal }), maxBytes),
    };
  } catch (error) {
    if (
      error instanceof HttpRequestError &&
      (error.failure === 'status' || error.failure === 'not-http') &&
      error.status !== 421
    )
      return { refusal: error };
    throw error;
  }
}

/** Why measurements cannot be fetched although the server responds; null when they can. */
async function downloadProblem(
  source: FetchSource,
  timeouts: HttpTimeouts,
  ask: Send,
  signal: AbortSignal,
): Promise<ServerFailure | null> {
  const { host } = new URL(source.baseUrl);
  const probe = await look(ask, noMeasurement, signal);
  if (!('refusal' in probe)) return notOne(host);
  const { refusal } = probe;
  if (refusal.status !== 404) {
    const trouble = refusal.status === null ? notOne(host) : failureOf(refusal, source.token !== null);
    if (trouble.problem === 'not-a-measurement-server') return notOne(host);
    if (trouble.problem === 'token-missing')
      return {
        ...trouble,
        message: `${host} asks for a token. Create one there with the scope read_measurement, and enter it here.`,
      };
    if (trouble.problem === 'token-refused') {
      return {
        ...trouble,
        message: `${host} does not accept the token (${refusal.status}): it is wrong, expired or revoked. Enter another one.`,
      };
    }
    return trouble;
  }
  // Any web server lacks this page. Only one that requires a token first is a measurement server.
  const open = createHttpClient({ ...source, token: null }, { connections: 1, timeouts });
  try {
    const anonymous = await look(open.send, noMeasurement, signal);
    const status = 'refusal' in anonymous ? anonymous.refusal.status : null;
    return source.token !== null && (status === 401 || status === 403) ? null : notOne(host);
  } finally {
    open.close();
  }
}

/** The error for a server that responds but is not a measurement server. */
function notOne(host: string): ServerFailure {
  return {
    problem: 'not-a-measurement-server',
    message: `${host} answers, but not like a measurement server. Check the address, and the path in it.`,
  };
}

async function usernameOf(ask: Send, signal: AbortSignal): Promise<string | null> {
  const user = await look(ask, '/api/v4/user', signal);
  return 'json' in user && User.Check(user.json) ? shownName(user.json.username) : null;
}

/** Adds a hint to the message of a failure. */
async function withHint(
  trouble: ServerFailure,
  { failure }: HttpRequestError,
  baseUrl: string,
): Promise<ServerFailure> {
  if (failure === 'disconnected' && baseUrl.startsWith('http:')) {
    return { ...trouble, message: `${trouble.message} If the server uses TLS, begin its address with https://.` };
  }
  if (failure !== 'certificate') return trouble;
  const shown = await shownCertificate(baseUrl).catch(() => null);
  return shown === null
    ? trouble
    : { ...trouble, message: `${trouble.message} Its SHA-256 fingerprint is ${readableFingerprint(shown.sha256)}.` };
}
