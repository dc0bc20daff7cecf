import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { AskError, timedOut } from '../fetching/engine/http/ask-error.ts';
import { startAsking, type Ask, type Asker, type Patience } from '../fetching/engine/http/ask.ts';
import type { FetchSource } from '../fetching/engine/types.ts';
import { shownName } from '../files/inspect-findings.ts';
import { readJsonAnswer } from './read-json-answer.ts';
import { isMeasurementList } from './remote-measurements.ts';
import { troubleOf, type ServerTrouble } from './server-trouble.ts';
import type { ServerFinding } from './servers-store.ts';
import { readableFingerprint, shownCertificate } from './shown-certificate.ts';

const wholeTest = 20_000;
const usual: Patience = { connecting: 8000, silence: 8000 };
const mostBytes = 1024 * 1024;
// No server has it. What is checked before an id (RFC 9110 leaves the order open, the interface does not) says whether the token would do.
const noMeasurement = '/measurements/benchport-connection-test/files';
const User = Compile(Type.Object({ username: Type.String({ minLength: 1 }) }));

/** Tries a server: whether it is one that measurements can be fetched from, whether the token opens it, and whether it can list what it has. */
export async function testServer(source: FetchSource, patience = usual): Promise<ServerFinding> {
  const signal = AbortSignal.timeout(wholeTest);
  const asker = startSafely(source, patience);
  if ('problem' in asker) return failed(asker);
  try {
    const list = await look(asker.ask, '/api/v4/measurements?per_page=1', signal);
    if ('json' in list && isMeasurementList(list.json)) return { ...fine, lists: true, username: await usernameOf(asker.ask, signal) };
    const trouble = await troubleOfDownloads(source, patience, asker.ask, signal);
    return trouble === null ? { ...fine, lists: false, username: await usernameOf(asker.ask, signal) } : failed(trouble);
  } catch (error) {
    const failure = signal.aborted ? timedOut(new URL(source.baseUrl).host) : error;
    if (!(failure instanceof AskError)) throw error;
    return failed(await withHint(troubleOf(failure, source.token !== null), failure, source.baseUrl));
  } finally {
    asker.close();
  }
}

const fine = { state: 'ok', problem: null, message: null } as const;

function failed(trouble: ServerTrouble): ServerFinding {
  return { state: 'failed', ...trouble, lists: null, username: null };
}

function startSafely(source: FetchSource, patience: Patience): Asker | ServerTrouble {
  try {
    return startAsking(source, { connections: 1, patience });
  } catch (error) {
    if (error instanceof AskError) return troubleOf(error, source.token !== null);
    throw error;
  }
}

/** @throws AskError for everything but an answer, and but for a refusal by its status. */
async function look(ask: Ask, path: string, signal: AbortSignal): Promise<{ readonly json: unknown } | { readonly refusal: AskError }> {
  try {
    return { json: await readJsonAnswer(await ask({ path, headers: { accept: 'application/json' }, signal }), mostBytes) };
  } catch (error) {
    if (error instanceof AskError && (error.failure === 'status' || error.failure === 'not-http') && error.status !== 421) return { refusal: error };
    throw error;
  }
}

/** Why measurements cannot be fetched, although the server answers; null when they can. */
async function troubleOfDownloads(source: FetchSource, patience: Patience, ask: Ask, signal: AbortSignal): Promise<ServerTrouble | null> {
  const { host } = new URL(source.baseUrl);
  const probe = await look(ask, noMeasurement, signal);
  if (!('refusal' in probe)) return notOne(host);
  const { refusal } = probe;
  if (refusal.status !== 404) {
    const trouble = refusal.status === null ? notOne(host) : troubleOf(refusal, source.token !== null);
    if (trouble.problem === 'not-a-measurement-server') return notOne(host);
    if (trouble.problem === 'token-missing')
      return { ...trouble, message: `${host} asks for a token. Create one there with the scope read_measurement, and enter it here.` };
    if (trouble.problem === 'token-refused') {
      return { ...trouble, message: `${host} does not accept the token (${refusal.status}): it is wrong, expired or revoked. Enter another one.` };
    }
    return trouble;
  }
  // Any web server has no such page. Only one that asks for a token first is a measurement server.
  const open = startAsking({ ...source, token: null }, { connections: 1, patience });
  try {
    const anonymous = await look(open.ask, noMeasurement, signal);
    const status = 'refusal' in anonymous ? anonymous.refusal.status : null;
    return source.token !== null && (status === 401 || status === 403) ? null : notOne(host);
  } finally {
    open.close();
  }
}

/** Something answers, but it is not a measurement server. */
function notOne(host: string): ServerTrouble {
  return { problem: 'not-a-measurement-server', message: `${host} answers, but not like a measurement server. Check the address, and the path in it.` };
}

async function usernameOf(ask: Ask, signal: AbortSignal): Promise<string | null> {
  const user = await look(ask, '/api/v4/user', signal);
  return 'json' in user && User.Check(user.json) ? shownName(user.json.username) : null;
}

/** What helps with a failure beyond what it says itself. */
async function withHint(trouble: ServerTrouble, { failure }: AskError, baseUrl: string): Promise<ServerTrouble> {
  if (failure === 'disconnected' && baseUrl.startsWith('http:')) {
    return { ...trouble, message: `${trouble.message} If the server uses TLS, begin its address with https://.` };
  }
  if (failure !== 'certificate') return trouble;
  const shown = await shownCertificate(baseUrl).catch(() => null);
  return shown === null ? trouble : { ...trouble, message: `${trouble.message} Its SHA-256 fingerprint is ${readableFingerprint(shown.sha256)}.` };
}
