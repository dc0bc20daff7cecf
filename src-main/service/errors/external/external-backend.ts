import type {
  ErrorDetail,
  ErrorEventPage,
  ErrorListQuery,
  ErrorPage,
  ErrorSort,
  ErrorStatus,
} from '../../contract/errors.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { openText } from '../../secrets/sealed-text.ts';
import { requestSentry, type SentryResponse, type SentryRequest, type SentryServer } from './request-sentry.ts';
import { eventOf } from './event-shape.ts';
import { ExternalFailure, notSentry } from './external-failure.ts';
import { externalDetailOf, externalSummaryOf } from './issue-shape.ts';
import { textMember } from './read-json.ts';
import { tokenPurpose } from './auth-token.ts';
import { readApiUrl, type SentryProject } from './sentry-address.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ErrorStores } from '../store/stores.ts';

/**
 * The errors of a project on a Sentry-compatible server. Every call may throw an ExternalFailure
 * (502, 504), or 404 for an unknown error.
 */
export interface ExternalBackend {
  list(query: ErrorListQuery): Promise<ErrorPage>;
  detail(id: string): Promise<ErrorDetail>;
  /** @param which `latest`, `oldest`, or an event's id. */
  event(id: string, which: string): Promise<ErrorEventPage>;
  setStatus(ids: readonly string[], status: ErrorStatus): Promise<void>;
}

const sorts: Readonly<Record<ErrorSort, string | null>> = {
  last_seen: null,
  first_seen: 'new',
  events: 'freq',
  users: 'user',
};
const maxConcurrentChanges = 5;

/**
 * Creates the external backend of a project.
 *
 * @returns null when error tracking is off or the errors are stored by this service.
 */
export async function externalBackend(
  deps: Pick<ErrorStores, 'errorSettings'> & { readonly secrets: SecretBox },
  project: ProjectRow,
): Promise<ExternalBackend | null> {
  const settings = await deps.errorSettings.of(project.id);
  if (settings?.active !== 1 || settings.integrated === 1) return null;
  const address = readApiUrl(settings.api_url ?? '');
  const token =
    address &&
    settings.sealed_token &&
    openText(deps.secrets, tokenPurpose(project.id, address.origin), settings.sealed_token);
  if (!address || token === null) {
    throw new ExternalFailure(
      'token-missing',
      'The auth token of the external backend cannot be read. Enter it again under Settings > Monitor > Error Tracking.',
    );
  }
  return backendOn({ ...address, token });
}

function backendOn(server: SentryServer & SentryProject): ExternalBackend {
  const { organization, project } = server;

  /**
   * Requests an issue by its organisation, as current versions of Sentry do, and without it for
   * servers that are older or of another kind (reference, section 6.2).
   */
  async function ofIssue(id: string, rest: string, request: Omit<SentryRequest, 'path'> = {}): Promise<SentryResponse> {
    // Checked because the id becomes part of an address.
    if (!/^\d{1,20}$/.test(id)) throw unknownError();
    const response = await requestSentry(server, {
      ...request,
      path: `organizations/${organization}/issues/${id}/${rest}`,
    });
    const found =
      response.status === 404 ? await requestSentry(server, { ...request, path: `issues/${id}/${rest}` }) : response;
    if (found.status === 404) throw unknownError();
    return found;
  }

  return {
    list: async ({ query, sort, cursor, limit }) => {
      const words = query.trim();
      const order = sorts[sort ?? 'last_seen'];
      const { status, json, next } = await requestSentry(server, {
        path: `projects/${organization}/${project}/issues/`,
        query: {
          query: /(^|\s)is:/.test(words) ? words : `is:unresolved ${words}`.trim(),
          statsPeriod: '24h',
          limit: String(limit),
          ...(order === null ? {} : { sort: order }),
          ...(cursor === undefined ? {} : { cursor }),
        },
      });
      if (status === 404) {
        const { host } = new URL(server.origin);
        throw new ExternalFailure(
          'not-found',
          `${host} has no project ${organization}/${project}, or the auth token may not see it. Connect again and choose a project.`,
        );
      }
      const errors = Array.isArray(json) ? json.map((issue: unknown) => externalSummaryOf(issue)) : null;
      if (errors === null || !errors.every((error) => error !== null)) throw notSentry(new URL(server.origin).host);
      return { errors, next, total: null };
    },

    detail: async (id) => {
      const detail = externalDetailOf((await ofIssue(id, '')).json);
      if (detail === null) throw notSentry(new URL(server.origin).host);
      return detail;
    },

    event: async (id, which) => {
      if (!/^(latest|oldest|[0-9a-f]{32})$/.test(which)) throw new HttpProblem(404, 'This error has no such event.');
      const { json } = await ofIssue(id, `events/${which}/`);
      const event = eventOf(json);
      if (event === null) throw notSentry(new URL(server.origin).host);
      return {
        event,
        previous: neighbour(json, 'previousEventID'),
        next: neighbour(json, 'nextEventID'),
        position: null,
        of: null,
      };
    },

    setStatus: async (ids, status) => {
      for (let first = 0; first < ids.length; first += maxConcurrentChanges) {
        await Promise.all(
          ids
            .slice(first, first + maxConcurrentChanges)
            .map((id) => ofIssue(id, '', { method: 'PUT', body: { status } })),
        );
      }
    },
  };
}

function neighbour(event: unknown, name: string): string | null {
  const id = textMember(event, name)?.replaceAll('-', '').toLowerCase() ?? '';
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

function unknownError(): HttpProblem {
  return new HttpProblem(404, 'The external backend has no such error.');
}
