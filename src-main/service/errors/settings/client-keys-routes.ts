import { Type } from 'typebox';
import { PageQuery } from '../../contract/common.ts';
import { ClientKey } from '../../contract/errors.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { ProjectParams } from '../../contract/projects.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { setPageHeaders } from '../../http/pagination.ts';
import { requireProject } from '../../projects/require-role.ts';
import { createClientKey, removeClientKey } from './client-keys-change.ts';
import { clientKeyShape } from './client-key-shape.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'clientKeys'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'events' | 'secrets'>;

const address = '/api/v4/projects/:id/error_tracking/client_keys';
const KeyParams = Type.Object({
  ...ProjectParams.properties,
  key_id: Type.String({ pattern: '^[0-9]{1,15}$', description: 'Number of the key' }),
});

/**
 * Registers GitLab's routes for the client keys of a project: they need a token with the scope
 * `api` and the role maintainer.
 */
export function registerClientKeyRoutes(app: App, deps: Deps): void {
  app.post(
    address,
    {
      onRequest: deps.auth.require('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'Create a client key (DSN)',
        operationId: 'createClientKey',
        params: ProjectParams,
        response: { 201: ClientKey, 404: GitlabError },
      },
    },
    async (request, reply) => {
      const project = await requireProject(deps, request, 'maintainer');
      const row = await createClientKey(deps, project, actorOf(request));
      return reply.code(201).send(clientKeyShape(row, deps.baseUrl(), deps.secrets));
    },
  );

  app.get(
    address,
    {
      onRequest: deps.auth.require('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'The client keys of a project, the oldest first',
        operationId: 'listClientKeys',
        params: ProjectParams,
        querystring: PageQuery,
        response: { 200: Type.Array(ClientKey), 404: GitlabError },
      },
    },
    async (request, reply) => {
      const project = await requireProject(deps, request, 'maintainer');
      const { page, per_page: perPage } = request.query;
      const { rows, total } = await deps.clientKeys.page(project.id, perPage, (page - 1) * perPage);
      setPageHeaders(request, reply, deps.baseUrl(), page, perPage, total);
      return rows.map((row) => clientKeyShape(row, deps.baseUrl(), deps.secrets));
    },
  );
  registerKeyDeletion(app, deps);
}

function registerKeyDeletion(app: App, deps: Deps): void {
  app.delete(
    `${address}/:key_id`,
    {
      onRequest: deps.auth.require('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'Delete a client key; programs that use it are refused from then on',
        operationId: 'deleteClientKey',
        params: KeyParams,
        response: { 200: ClientKey, 404: GitlabError },
      },
    },
    async (request) => {
      const project = await requireProject(deps, request, 'maintainer');
      const row = await removeClientKey(deps, project, Number(request.params.key_id), actorOf(request));
      return clientKeyShape(row, deps.baseUrl(), deps.secrets);
    },
  );
}
