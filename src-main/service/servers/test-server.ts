import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { HttpRequestError, requestFailure } from '../http-client/http-request-error.ts';
import { createHttpClient, type Send, type HttpClient } from '../http-client/http-client.ts';
import type { HttpTimeouts } from '../http-client/node-request.ts';
import type { ServerAccess } from '../http-client/http-client.ts';
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
const missingMeasurement = '/measurements/benchport-connection-test/files';
const User = Compile(Type.Object({ username: Type.String({ minLength: 1 }) }));

/**
 * Tests whether measurements can be fetched from a server, whether its token is accepted, and
 * whether it can list its measurements.
 */
export async function testServer(source: ServerAccess, timeouts = defaultTimeouts): Promise<ServerFinding> {
  const signal = AbortSignal.timeout(wholeTestMs);
  const client = startSafely(source, timeouts);
  if ('problem' in client) return failed(client);
  try {
    const list = await getJson(client.send, '/api/v4/measurements?per_page=1', signal);
    if ('json' in list && isMeasurementList(list.json))
      return { ...working, lists: true, username: await usernameOf(client.send, signal) };
    const failure = await downloadProblem(source, timeouts, client.send, signal);
    return failure === null
      ? { ...working, lists: false, username: await usernameOf(client.send, signal) }
      : failed(failure);
  } catch (error) {
    const requestError = signal.aborted ? requestFailure('timed-out', new URL(source.baseUrl)) : error;
    if (!(requestError instanceof HttpRequestError)) throw error;
    return failed(await withHint(failureOf(requestError, source.token !== null), requestError, source.baseUrl));
  } finally {
    client.close();
  }
}

const working = { state: 'ok', problem: null, message: null } as const;

function failed(failure: ServerFailure): ServerFinding {
  return { state: 'failed', ...failure, lists: null, username: null };
}

function startSafely(source: ServerAccess, timeouts: HttpTimeouts): HttpClient | ServerFailure {
  try {
    return createHttpClient(source, { connections: 1, timeouts });
  } catch (error) {
    if (error instanceof HttpRequestError) return failureOf(error, source.token !== null);
    throw error;
  }
}

/** @throws HttpRequestError when there is no response; a refusal by status is returned. */
async function getJson(
  send: Send,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly json: unknown } | { readonly refusal: HttpRequestError }> {
  try {
    return {
      json: await readJsonResponse(await send({ path, headers: { accept: 'application/json' }, signal }), maxBytes),
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
  source: ServerAccess,
  timeouts: HttpTimeouts,
  send: Send,
  signal: AbortSignal,
): Promise<ServerFailure | null> {
  const { host } = new URL(source.baseUrl);
  const probe = await getJson(send, missingMeasurement, signal);
  if (!('refusal' in probe)) return notMeasurementServer(host);
  const { refusal } = probe;
  if (refusal.status !== 404) {
    const failure = refusal.status === null ? notMeasurementServer(host) : failureOf(refusal, source.token !== null);
    if (failure.problem === 'not-a-measurement-server') return notMeasurementServer(host);
    if (failure.problem === 'token-missing')
      return {
        ...failure,
        message: `${host} asks for a token. Create one there with the scope read_measurement, and enter it here.`,
      };
    if (failure.problem === 'token-refused') {
      return {
        ...failure,
        message: `${host} does not accept the token (${refusal.status}): it is wrong, expired or revoked. Enter another one.`,
      };
    }
    return failure;
  }
  // Any web server lacks this page. Only one that requires a token first is a measurement server.
  const open = createHttpClient({ ...source, token: null }, { connections: 1, timeouts });
  try {
    const anonymous = await getJson(open.send, missingMeasurement, signal);
    const status = 'refusal' in anonymous ? anonymous.refusal.status : null;
    return source.token !== null && (status === 401 || status === 403) ? null : notMeasurementServer(host);
  } finally {
    open.close();
  }
}

/** The error for a server that responds but is not a measurement server. */
function notMeasurementServer(host: string): ServerFailure {
  return {
    problem: 'not-a-measurement-server',
    message: `${host} answers, but not like a measurement server. Check the address, and the path in it.`,
  };
}

async function usernameOf(send: Send, signal: AbortSignal): Promise<string | null> {
  const user = await getJson(send, '/api/v4/user', signal);
  return 'json' in user && User.Check(user.json) ? shownName(user.json.username) : null;
}

/** Adds a hint to the message of a failure. */
async function withHint(
  described: ServerFailure,
  { failure }: HttpRequestError,
  baseUrl: string,
): Promise<ServerFailure> {
  if (failure === 'disconnected' && baseUrl.startsWith('http:')) {
    return { ...described, message: `${described.message} If the server uses TLS, begin the address with https://.` };
  }
  if (described.problem !== 'certificate') return described;
  const shown = await shownCertificate(baseUrl).catch(() => null);
  return shown === null
    ? described
    : {
        ...described,
        message: `${described.message} Its SHA-256 fingerprint is ${readableFingerprint(shown.sha256)}.`,
      };
}
