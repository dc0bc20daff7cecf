import { Type } from 'typebox';
import { MeasurementId, Problem } from '../contract/common.ts';
import { ErrorParams } from '../contract/error-views.ts';
import { ErrorRuns, ErrorRunsQuery, RunErrors, RunErrorsQuery } from '../contract/timeline/run-errors.ts';
import { errorBackend, type ErrorBackendDeps } from '../errors/issues/error-backend.ts';
import { errorProject, refuseExternal } from '../errors/settings/error-project.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import type { ServiceContext } from '../http/service-context.ts';
import { measurementAccess } from '../measurements/access/access.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import { errorsOfRun } from './errors-of-run.ts';
import { runsOfError } from './runs-of-error.ts';
import type { TimelineStores } from './store/stores.ts';

type Deps = ErrorBackendDeps &
  Pick<ProjectStores, 'projects'> &
  Pick<MeasurementStores, 'grants' | 'measurements'> &
  Pick<ServiceContext, 'auth' | 'changes'> &
  TimelineStores;

/** Registers the routes that bring measurements and errors together by their times. */
export function registerTimelineRoutes(app: App, deps: Deps): void {
  const access = measurementAccess(deps);
  const read = deps.auth.require('read_api');

  app.get(
    '/api/v4/measurements/:id/errors',
    {
      onRequest: read,
      schema: {
        tags: ['measurements'],
        summary:
          'The errors of lab software with events while a measurement was taken: from five minutes before the first modification of a file to five minutes after the last one',
        operationId: 'listMeasurementErrors',
        params: Type.Object({ id: MeasurementId }),
        querystring: RunErrorsQuery,
        response: { 200: RunErrors, 404: Problem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return errorsOfRun(deps, principal, await access.readable(principal, request.params.id), request.query);
    },
  );

  app.get(
    '/api/v4/projects/:id/errors/:error_id/measurements',
    {
      onRequest: read,
      schema: {
        tags: ['errors'],
        summary:
          'The measurements that the caller may read and that were taken while an error had events, a page at a time',
        operationId: 'listErrorMeasurements',
        params: ErrorParams,
        querystring: ErrorRunsQuery,
        response: { 200: ErrorRuns, 404: Problem, 409: Problem },
      },
    },
    async (request) => {
      const project = await errorProject(deps, request, 'reporter');
      refuseExternal((await errorBackend(deps, project)).kind);
      return runsOfError(deps, principalOf(request), project, request.params.error_id, request.query);
    },
  );
}
