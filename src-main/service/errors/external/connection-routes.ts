import { Type } from 'typebox';
import { ExternalProject } from '../../contract/errors.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { isFromElsewhere } from '../../http/csrf.ts';
import { HttpProblem } from '../../common/problem.ts';
import { requireRole } from '../../projects/require-role.ts';
import { checkConnection } from './check-connection.ts';
import { ExternalFailure } from './external-failure.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'errorSettings'> &
  OutgoingDeps & { readonly secrets: SecretBox; readonly auth: Authentication };

/**
 * Registers the connection check of the settings screen, with the address and parameters of the
 * specification.
 */
export function registerConnectionRoutes(app: App, deps: Deps): void {
  app.get(
    '/:project/-/error_tracking/projects.json',
    {
      // The scope for reading is not sufficient: the request makes this machine connect to another
      // one.
      onRequest: deps.auth.require('api'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['errors'],
        summary:
          'Try an external backend: the projects that a token reaches there; needs the role maintainer, and Monitor on',
        operationId: 'listExternalProjects',
        params: Type.Object({ project: Type.String({ description: 'Path of the project' }) }),
        querystring: Type.Object({
          api_host: Type.String({ minLength: 1, maxLength: 255, description: 'Address of the external backend' }),
          token: Type.String({
            maxLength: 500,
            default: '',
            description: 'Auth token; left out or all asterisks: the one that is kept',
          }),
        }),
        response: { 200: Type.Object({ projects: Type.Array(ExternalProject) }), 400: GitlabError, 404: GitlabError },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      // A GET with side effects: without this check a page of another site could make a signed-in
      // browser trigger requests to addresses of its choice.
      if (principalOf(request).kind === 'session' && isFromElsewhere(request))
        throw new HttpProblem(403, 'Only the settings screen can request this.');
      const project = await requireRole(
        deps,
        request,
        await deps.projects.byPath(request.params.project),
        'maintainer',
      );
      // The specification's Errors table: 404 while Monitor is off.
      if (project.monitor === 0)
        throw new HttpProblem(404, 'Monitor is off for this project. Switch it on in the settings of the project.');
      try {
        const by = { project, isAdmin: principalOf(request).isAdmin };
        return { projects: await checkConnection(deps, by, request.query.api_host, request.query.token) };
      } catch (error) {
        if (!(error instanceof ExternalFailure)) throw error;
        // GitLab responds with 400 to every failure of the external server.
        return reply.code(400).send({ message: error.message, type: `urn:benchport:problem:external-${error.kind}` });
      }
    },
  );
}
