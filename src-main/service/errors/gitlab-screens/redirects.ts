import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app.ts';
import { HttpProblem } from '../../common/problem.ts';
import { seeOther } from '../../http/pages/see-other.ts';

const Params = Type.Object({ project: Type.String() });

/**
 * Redirects GitLab's addresses of the screens, which the specification names, to the screens. The
 * screens report projects that do not exist.
 */
export function registerScreenRedirects(app: App): void {
  app.get('/:project/-/error_tracking', { schema: { hide: true, params: Params } }, async (request, reply) =>
    redirectTo(reply, request.params.project, 'errors'),
  );
  app.get(
    '/:project/-/error_tracking/:id',
    { schema: { hide: true, params: Type.Object({ ...Params.properties, id: Type.String() }) } },
    async (request, reply) => {
      if (!/^\d{1,20}$/.test(request.params.id)) throw new HttpProblem(404, 'There is nothing at this address.');
      return redirectTo(reply, request.params.project, `errors/${request.params.id}`);
    },
  );
  app.get('/:project/-/settings/operations', { schema: { hide: true, params: Params } }, async (request, reply) =>
    redirectTo(reply, request.params.project, 'settings'),
  );
}

function redirectTo(reply: FastifyReply, project: string, screen: string): FastifyReply {
  return seeOther(reply, `/ui/projects/${encodeURIComponent(project)}/${screen}`);
}
