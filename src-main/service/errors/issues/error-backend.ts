import type { ErrorDetail, ErrorEventPage, ErrorListQuery, ErrorPage, ErrorStatus } from '../../contract/errors.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { Actor } from '../../http/principal.ts';
import { setErrorStatus } from './change-errors.ts';
import { errorDetail } from './error-detail.ts';
import { errorEvent } from './error-event.ts';
import { listErrors } from './error-list.ts';
import { externalBackend } from '../external/external-backend.ts';
import { withSources } from '../source-maps/source-maps-apply.ts';
import type { SourceMapReader } from '../source-maps/source-map-thread.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import type { ServiceContext } from '../../http/service-context.ts';

/** Access to the errors of a project, wherever they are stored. */
export interface ErrorBackend {
  readonly kind: 'integrated' | 'external';
  list(query: ErrorListQuery): Promise<ErrorPage>;
  detail(id: string): Promise<ErrorDetail>;
  /** @param which `latest`, `oldest`, or an event's id. */
  event(id: string, which: string): Promise<ErrorEventPage>;
  /** Returns an event as it was sent, without source maps applied. */
  rawEvent(id: string, which: string): Promise<ErrorEventPage>;
  setStatus(ids: readonly string[], status: ErrorStatus, by: Actor): Promise<void>;
}

export type IntegratedBackendDeps = ErrorStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'events' | 'log'> & { readonly sourceMapReader: SourceMapReader };

export type ErrorBackendDeps = IntegratedBackendDeps & OutgoingDeps & Pick<ServiceContext, 'secrets'>;

/** Creates the backend that a project's settings select. */
export async function errorBackend(deps: ErrorBackendDeps, project: ProjectRow): Promise<ErrorBackend> {
  return (await externalBackend(deps, project)) ?? integratedBackend(deps, project);
}

/** The backend for errors stored by this service, whatever the settings select. */
export function integratedBackend(deps: IntegratedBackendDeps, project: ProjectRow): ErrorBackend {
  return {
    kind: 'integrated',
    list: async (query) => listErrors(deps, project.id, query),
    detail: async (id) => errorDetail(deps, project.id, id),
    event: async (id, which) => {
      const page = await errorEvent(deps, project.id, id, which);
      return { ...page, event: await withSources(deps, project.id, page.event) };
    },
    rawEvent: async (id, which) => errorEvent(deps, project.id, id, which),
    setStatus: async (ids, status, by) => setErrorStatus(deps, project, ids, status, by),
  };
}
