import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  externalBackend,
  type ExternalBackend,
} from '../../../../src-main/service/errors/external/external-backend.ts';
import { startProjectService, type ApiAnswer, type ProjectService } from '../project-fixture.ts';
import { sendJson, startDouble, type Double } from './sentry-double.ts';

export const token = 'sntrys_a-very-secret-token';
export const lab = { id: '7', slug: 'lab', name: 'The lab' };
export const bench = { id: '12', slug: 'bench', name: 'Bench', status: 'active' };

/** A service with the project `lab/qmr`, and two servers that play Sentry, new for each test. */
export interface ExternalWorld {
  readonly service: ProjectService;
  sentry: Double;
  readonly elsewhere: Double;
}

/**
 * Registers the hooks that start and stop this world; its members may be used while a test runs.
 */
export function externalWorld(): ExternalWorld {
  const world = {} as { service: ProjectService; sentry: Double; elsewhere: Double };
  beforeAll(async () => {
    world.service = await startProjectService();
    await allowLoopback(world.service);
  });
  afterAll(() => world.service.end());
  beforeEach(async () => {
    [world.sentry, world.elsewhere] = [await startDouble(), await startDouble()];
  });
  afterEach(async () => {
    await world.sentry.end();
    await world.elsewhere.end();
  });
  return world;
}

/** Lets requests reach the servers of tests, as an administrator may. */
export async function allowLoopback({ as }: Pick<ProjectService, 'as'>): Promise<void> {
  expect((await as.steward('PUT', '/api/v4/application/outgoing', { allowed: ['127.0.0.1'] })).status).toBe(200);
}

/** The API of current Sentry: by organisation only. */
export const modern: Double['answer'] = ({ path }, response) => {
  if (path === '/api/0/organizations/') sendJson(response, [lab]);
  else if (path === '/api/0/organizations/lab/projects/') sendJson(response, [bench]);
  else response.writeHead(404).end();
};

/** Checks the connection to a server as one of the members of `lab/qmr`. */
export async function checkConnection(
  { as }: ProjectService,
  host: string,
  by: 'maintainer' | 'developer' | 'outsider' = 'maintainer',
  sentToken = token,
): Promise<ApiAnswer> {
  return as[by](
    'GET',
    `/lab/qmr/-/error_tracking/projects.json?${new URLSearchParams({ api_host: host, token: sentToken }).toString()}`,
  );
}

/** The response for a connection that failed for this reason. */
export const failed = (kind: string, words: RegExp) => ({
  status: 400,
  body: { type: `urn:benchport:problem:external-${kind}`, message: expect.stringMatching(words) as string },
});

/** Connects `lab/qmr` to a server; null when that does not become its backend. */
export async function connect(
  { as, services }: ProjectService,
  { origin }: Double,
  change: object = {},
): Promise<ExternalBackend | null> {
  const body = { active: true, integrated: false, api_url: `${origin}/api/0/projects/lab/bench/`, token, ...change };
  expect((await as.maintainer('PUT', '/api/v4/projects/lab%2Fqmr/error_tracking/settings', body)).status).toBe(200);
  const project = await services.projects.byPath('lab/qmr');
  if (!project) throw new Error('no project');
  return externalBackend(services, project);
}

/** Connects `lab/qmr` to the server that plays Sentry. */
export async function connectedBackend({ service, sentry }: ExternalWorld): Promise<ExternalBackend> {
  const backend = await connect(service, sentry);
  if (!backend) throw new Error('no backend');
  return backend;
}
