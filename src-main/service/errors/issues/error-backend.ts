import type { ErrorDetail, ErrorEventPage, ErrorListQuery, ErrorPage, ErrorStatus } from '../../contract/errors.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { Actor } from '../../http/principal.ts';
import { setErrorStatus } from './change-errors.ts';
import { errorDetail } from './error-detail.ts';
import { errorEvent } from './error-event.ts';
import { listErrors } from './error-list.ts';
import { externalBackend } from '../external/external-backend.ts';
import { withSources } from '../source-maps/source-maps-apply.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { SourceMapReader } from '../source-maps/source-map-thread.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

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

/** Creates the backend that a project's settings select. */
export async function errorBackend(
  deps: ErrorStores &
    Pick<AuditStores, 'audit'> & {
      readonly log: Logger;
      readonly events: Events;
      readonly secrets: SecretBox;
      readonly sourceMapReader: SourceMapReader;
    },
  project: ProjectRow,
): Promise<ErrorBackend> {
  return (await externalBackend(deps, project)) ?? integratedBackend(deps, project);
}

/** The backend for errors stored by this service, whatever the settings select. */
export function integratedBackend(
  deps: ErrorStores &
    Pick<AuditStores, 'audit'> & {
      readonly log: Logger;
      readonly events: Events;
      readonly sourceMapReader: SourceMapReader;
    },
  project: ProjectRow,
): ErrorBackend {
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
