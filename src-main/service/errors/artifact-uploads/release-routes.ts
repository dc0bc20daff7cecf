import type { FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { Nullable, Problem } from '../../contract/common.ts';
import type { App } from '../../http/app.ts';
import { HttpProblem } from '../../common/problem.ts';
import { requireRole } from '../../projects/require-role.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { pathOf } from '../sentry-api/slugs.ts';
import type { AnnouncedReleaseRow, ReleaseChange } from '../store/announced-releases-store.ts';
import { announcedShape, deployShape } from './release-shapes.ts';
import { developedProjects } from './sentry-projects.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'announcedReleases'> &
  Pick<ServiceContext, 'auth' | 'diskSpace'>;

const address = '/api/0/organizations/:organization/releases';
const Version = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f/\\\\]+$',
  description: 'As SDKs send it with events',
});
const Time = Nullable(Type.String({ format: 'date-time' }));
const projects = Type.Optional(
  Type.Array(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()]), { maxItems: 50 }),
);
const Url = Nullable(Type.String({ maxLength: 2000 }));
const members = {
  projects,
  url: Type.Optional(Url),
  dateStarted: Type.Optional(Time),
  dateReleased: Type.Optional(Time),
  status: Type.Optional(Nullable(Type.Enum(['open', 'archived']))),
};
const ReleaseChangeBody = Type.Object(members);
const NewRelease = Type.Object({ version: Version, ...members });
const NewDeploy = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  url: Type.Optional(Url),
  dateStarted: Type.Optional(Time),
  dateFinished: Type.Optional(Time),
  projects,
});
const InOrganization = Type.Object({ organization: Type.String(), version: Version });
const maxListed = 100;
const answers = { 200: Type.Unknown(), 404: Problem };

const shared = { tags: ['errors'], response: answers };

type InRelease = FastifyRequest<{ Params: Static<typeof InOrganization> }>;

/**
 * Registers Sentry's routes with which build tools create, change, deploy, archive and delete
 * releases.
 */
export function registerReleaseRoutes(app: App, deps: Deps): void {
  registerReleaseChanges(app, deps);
  registerReleaseReads(app, deps);
  registerDeploys(app, deps);
}

function registerReleaseChanges(app: App, deps: Deps): void {
  const writes = deps.auth.require('api');

  app.post(
    address,
    {
      onRequest: writes,
      schema: {
        ...shared,
        ...doc('Announce a release of projects', 'announceRelease'),
        params: Type.Pick(InOrganization, ['organization']),
        body: NewRelease,
      },
    },
    async (request) => announce(deps, request, request.body.version, request.body),
  );

  app.put(
    `${address}/:version`,
    {
      onRequest: writes,
      schema: {
        ...shared,
        ...doc('Change a release, or announce it', 'changeRelease'),
        params: InOrganization,
        body: ReleaseChangeBody,
      },
    },
    async (request) => announce(deps, request, request.params.version, request.body),
  );

  app.delete(
    `${address}/:version`,
    {
      onRequest: writes,
      schema: {
        ...shared,
        ...doc('Delete a release with its deploys and source maps', 'deleteRelease'),
        params: InOrganization,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const { rows } = await found(deps, request);
      for (const { project_id: id, version } of rows) await deps.announcedReleases.remove(id, version);
      return reply.code(204).send(null);
    },
  );
}

function registerReleaseReads(app: App, deps: Deps): void {
  const reads = deps.auth.require('read_api');

  app.get(
    `${address}/:version`,
    {
      onRequest: reads,
      schema: { ...shared, ...doc('A release that was announced', 'getRelease'), params: InOrganization },
    },
    async (request) => {
      const { rows, of } = await found(deps, request);
      return announcedShape(rows, of);
    },
  );

  app.get(
    '/api/0/projects/:organization/:project/releases',
    {
      onRequest: reads,
      schema: {
        ...shared,
        ...doc('The last hundred announced releases of a project', 'listReleases'),
        params: Type.Object({ organization: Type.String(), project: Type.String() }),
      },
    },
    async (request) => {
      const { organization, project: slug } = request.params;
      const project = await requireRole(
        deps,
        request,
        await deps.projects.byPath(pathOf({ organization, project: slug })),
        'reporter',
      );
      return (await deps.announcedReleases.list(project.id, maxListed)).map((row) => announcedShape([row], [project]));
    },
  );
}

function registerDeploys(app: App, deps: Deps): void {
  const reads = deps.auth.require('read_api');
  const writes = deps.auth.require('api');

  app.post(
    `${address}/:version/deploys`,
    {
      onRequest: writes,
      schema: {
        ...shared,
        ...doc('Announce that a release was deployed', 'addDeploy'),
        params: InOrganization,
        body: NewDeploy,
      },
    },
    async (request) => {
      const { environment, name = null, url = null, dateStarted = null, dateFinished = null } = request.body;
      const { rows } = await found(deps, request, request.body.projects);
      const finished = timeOf(dateFinished) ?? Date.now();
      const deploys = await Promise.all(
        rows.map(async ({ id }) =>
          deps.announcedReleases.addDeploy(id, {
            environment,
            name,
            url,
            started_at: timeOf(dateStarted) ?? null,
            finished_at: finished,
          }),
        ),
      );
      return deploys[0] && deployShape(deploys[0]);
    },
  );

  app.get(
    `${address}/:version/deploys`,
    {
      onRequest: reads,
      schema: { ...shared, ...doc('The deploys of a release, newest first', 'listDeploys'), params: InOrganization },
    },
    async (request) => {
      const { rows } = await found(deps, request);
      return rows[0] ? (await deps.announcedReleases.deploys(rows[0].id, maxListed)).map(deployShape) : [];
    },
  );
}

async function announce(
  deps: Deps,
  request: FastifyRequest<{ Params: { readonly organization: string } }>,
  version: string,
  body: Static<typeof ReleaseChangeBody>,
) {
  const of = await developedProjects(deps, request, request.params.organization, body.projects);
  await deps.diskSpace.require('No release is taken');
  const change = changeOf(body);
  const rows = await Promise.all(
    of.map(async ({ id }) =>
      deps.announcedReleases.announce(id, version, change, timeOf(body.dateStarted) ?? Date.now()),
    ),
  );
  return announcedShape(rows, of);
}

async function found(
  deps: Deps,
  request: InRelease,
  named?: readonly (string | number)[],
): Promise<{ rows: readonly AnnouncedReleaseRow[]; of: readonly ProjectRow[] }> {
  const { organization, version } = request.params;
  const of = await developedProjects(deps, request, organization, named);
  const rows = (await Promise.all(of.map(async ({ id }) => deps.announcedReleases.find(id, version)))).filter(
    (row) => row !== null,
  );
  if (rows.length === 0)
    throw new HttpProblem(404, 'No such release was announced in your projects of this organisation.');
  return { rows, of };
}

function doc(summary: string, name: string) {
  return { summary: `${summary}, in the shape of Sentry`, operationId: `${name}AsSentry` };
}

function changeOf({ url, status, dateReleased }: Static<typeof ReleaseChangeBody>): ReleaseChange {
  return {
    url: url ?? undefined,
    archived: status ? status === 'archived' : undefined,
    releasedAt: timeOf(dateReleased),
  };
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
