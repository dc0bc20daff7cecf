import type { FastifyRequest } from 'fastify';
import { ErrorTrackingSettings } from '../../contract/errors.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { ErrorSettingsChange, ErrorSettingsReplacement, ProjectParams } from '../../contract/projects.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import type { Actor } from '../../http/principal.ts';
import { HttpProblem } from '../../common/problem.ts';
import { requireProject } from '../../projects/require-role.ts';
import { saveSettings } from './settings-change.ts';
import { readSettingsParameters } from './settings-parameters.ts';
import { settingsShape } from './settings-shape.ts';
import type { ErrorSettingsRow } from '../store/settings-store.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'clientKeys' | 'errorSettings'> &
  Pick<AuditStores, 'audit'> &
  OutgoingDeps &
  Pick<ServiceContext, 'auth' | 'changes' | 'events' | 'secrets' | 'settings'>;

const address = '/api/v4/projects/:id/error_tracking/settings';
const response = { 200: ErrorTrackingSettings, 404: GitlabError };

/**
 * Registers GitLab's routes for error tracking settings: GET and PATCH return 404 until settings
 * are stored with PUT.
 */
export function registerErrorSettingsRoutes(app: App, deps: Deps): void {
  app.get(
    address,
    {
      onRequest: deps.auth.require('read_api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary: 'Error tracking settings of a project; needs the role maintainer',
        operationId: 'getErrorTrackingSettings',
        params: ProjectParams,
        response,
      },
    },
    async (request) => {
      const project = await requireProject(deps, request, 'maintainer');
      const row = await deps.errorSettings.of(project.id);
      if (!row) throw noSettings();
      return shape(deps, row);
    },
  );

  registerSettingsChanges(app, deps);
}

function registerSettingsChanges(app: App, deps: Deps): void {
  const options = {
    onRequest: deps.auth.require('api'),
    preValidation: readSettingsParameters,
    config: { errors: 'gitlab' },
  } as const;

  app.patch(
    address,
    {
      ...options,
      schema: {
        tags: ['errors'],
        summary: 'Change some of the error tracking settings of a project that has them',
        operationId: 'changeErrorTrackingSettings',
        params: ProjectParams,
        body: ErrorSettingsChange,
        response,
      },
    },
    async (request) => {
      const project = await requireProject(deps, request, 'maintainer');
      if (!(await deps.errorSettings.of(project.id))) throw noSettings();
      return shape(deps, await saveSettings(deps, project, request.body, saverOf(request)));
    },
  );

  app.put(
    address,
    {
      ...options,
      schema: {
        tags: ['errors'],
        summary: 'Set error tracking up for a project, or change its settings',
        description: 'A project whose errors are kept here gets its first client key with it.',
        operationId: 'putErrorTrackingSettings',
        params: ProjectParams,
        body: ErrorSettingsReplacement,
        response,
      },
    },
    async (request) => {
      const project = await requireProject(deps, request, 'maintainer');
      return shape(deps, await saveSettings(deps, project, request.body, saverOf(request)));
    },
  );
}

function saverOf(request: FastifyRequest): { readonly by: Actor; readonly isAdmin: boolean } {
  return { by: actorOf(request), isAdmin: principalOf(request).isAdmin };
}

async function shape(deps: Deps, row: ErrorSettingsRow): Promise<ErrorTrackingSettings> {
  return settingsShape(row, await deps.errorSettings.storedBytes(row.project_id));
}

function noSettings(): HttpProblem {
  return new HttpProblem(404, 'Error tracking has not been set up for this project.', {
    gitlab: '404 Error Tracking Setting Not Found',
  });
}
