import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startOurService, type OurService } from '../servers/our-service.ts';

const password = randomBytes(16).toString('hex');
const eventKeys = 8;

/** The service of one checkout, with the same measurements, application and project as the other. */
export interface Build {
  readonly service: OurService;
  /** An administrator's personal access token. */
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Paths of envelopes, each with a key of its own, because a key may only send so much. */
  readonly envelopePaths: readonly string[];
  /** Tokens of the application, by the password grant. */
  newTokens(count: number): Promise<readonly { readonly access: string; readonly refresh: string }[]>;
}

/**
 * Starts the service of a checkout on an empty data directory and fills it over its public API,
 * which is the same in all versions.
 *
 * @param folders to register, below `root`; each under its name.
 */
export async function startBuild(
  checkout: string,
  name: string,
  dir: string,
  root: string,
  folders: readonly string[],
  nodeArguments: readonly string[],
): Promise<Build> {
  const dataDir = path.join(dir, name, 'data');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const service = { ...(await startOurService(dataDir, '', nodeArguments, checkout)), name };
  try {
    const ask = asking(service);
    await ask('POST', '/api/v4/setup', { username: 'alice', name: 'Alice', password });
    for (const folder of folders) await register(ask, path.join(root, folder), folder);
    const { token } = await ask('POST', '/api/v4/user/personal_access_tokens', { name: 'bench', scopes: ['read_api'] });
    const application = await ask('POST', '/api/v4/applications', {
      name: 'Bench',
      redirect_uri: 'https://app.example.com/callback',
      scopes: 'api',
    });
    const client = { clientId: String(application.application_id), clientSecret: String(application.secret) };
    return {
      service,
      token: String(token),
      ...client,
      envelopePaths: await addProject(ask),
      newTokens: async (count) => passwordTokens(service.port, client, count),
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

type Answer = Readonly<Record<string, unknown>>;
type Ask = (method: string, url: string, body?: unknown) => Promise<Answer>;

function asking(service: OurService): Ask {
  return async (method, url, body) => {
    const answer = await service.throughWindow(method, url, body);
    if (answer.status >= 300)
      throw new Error(`${service.name}: ${method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Answer;
  };
}

async function register(ask: Ask, folder: string, id: string): Promise<void> {
  let job = await ask('POST', '/api/v4/local/registrations', { path: folder, id });
  while (job.state !== 'done') {
    if (job.state === 'failed') throw new Error(`The registration of ${id} failed: ${String(job.message)}`);
    await wait(50);
    job = await ask('GET', `/api/v4/jobs/${String(job.id)}`);
  }
}

async function addProject(ask: Ask): Promise<readonly string[]> {
  const { id } = await ask('POST', '/api/v4/projects', { path: 'lab/bench', name: 'Bench' });
  const address = `/api/v4/projects/${String(id)}/error_tracking`;
  await ask('PUT', `${address}/settings`, { active: true, integrated: true });
  const paths: string[] = [];
  for (let key = 0; key < eventKeys; key += 1) {
    const made = await ask('POST', `${address}/client_keys`);
    const collector = `/api/v4/error_tracking/collector/api/${String(id)}/envelope/`;
    paths.push(`${collector}?sentry_key=${String(made.public_key)}`);
  }
  return paths;
}

async function passwordTokens(
  port: number,
  client: Pick<Build, 'clientId' | 'clientSecret'>,
  count: number,
): ReturnType<Build['newTokens']> {
  const tokens: { access: string; refresh: string }[] = [];
  while (tokens.length < count) {
    const form = { client_id: client.clientId, client_secret: client.clientSecret, grant_type: 'password' };
    const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, username: 'alice', password }),
    });
    const answer = (await response.json()) as { readonly access_token?: string; readonly refresh_token?: string };
    if (response.status !== 200) throw new Error(`the password grant: ${response.status} ${JSON.stringify(answer)}`);
    tokens.push({ access: answer.access_token ?? '', refresh: answer.refresh_token ?? '' });
  }
  return tokens;
}
