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
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ErrorStores } from '../store/stores.ts';

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
  deps: Pick<ErrorStores, 'errorSettings'> & OutgoingDeps & { readonly secrets: SecretBox },
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
  return new ExternalBackend({ ...address, token, guard: await deps.outgoing.guard() });
}

/**
 * The errors of a project on a Sentry-compatible server. Every call may throw an ExternalFailure
 * (502, 504), or 404 for an unknown error.
 */
export class ExternalBackend {
  readonly kind = 'external';
  readonly #server: SentryServer & SentryProject;

  constructor(server: SentryServer & SentryProject) {
    this.#server = server;
  }

  async list({ query, sort, cursor, limit }: ErrorListQuery): Promise<ErrorPage> {
    const { organization, project } = this.#server;
    const words = query.trim();
    const order = sorts[sort ?? 'last_seen'];
    const { status, json, next } = await requestSentry(this.#server, {
      path: `projects/${organization}/${project}/issues/`,
      query: {
        query: /(^|\s)is:/.test(words) ? words : `is:unresolved ${words}`.trim(),
        statsPeriod: '24h',
        limit: String(limit),
        ...(order === null ? {} : { sort: order }),
        ...(cursor === undefined ? {} : { cursor }),
      },
    });
    if (status === 404)
      throw new ExternalFailure(
        'not-found',
        `${this.#host} has no project ${organization}/${project}, or the auth token may not see it. Connect again and choose a project.`,
      );
    const errors = Array.isArray(json) ? json.map((issue: unknown) => externalSummaryOf(issue)) : null;
    if (errors === null || !errors.every((error) => error !== null)) throw notSentry(this.#host);
    return { errors, next, total: null };
  }

  async detail(id: string): Promise<ErrorDetail> {
    const detail = externalDetailOf((await this.#ofIssue(id, '')).json);
    if (detail === null) throw notSentry(this.#host);
    return detail;
  }

  /** @param which `latest`, `oldest`, or an event's id. */
  async event(id: string, which: string): Promise<ErrorEventPage> {
    if (!/^(latest|oldest|[0-9a-f]{32})$/.test(which)) throw new HttpProblem(404, 'This error has no such event.');
    const { json } = await this.#ofIssue(id, `events/${which}/`);
    const event = eventOf(json);
    if (event === null) throw notSentry(this.#host);
    const [previous, next] = [neighbour(json, 'previousEventID'), neighbour(json, 'nextEventID')];
    return { event, previous, next, position: null, of: null };
  }

  /** Source maps are applied by the server, if at all. */
  async rawEvent(id: string, which: string): Promise<ErrorEventPage> {
    return this.event(id, which);
  }

  async setStatus(ids: readonly string[], status: ErrorStatus): Promise<void> {
    const change = { method: 'PUT', body: { status } } as const;
    for (let first = 0; first < ids.length; first += maxConcurrentChanges)
      await Promise.all(
        ids.slice(first, first + maxConcurrentChanges).map(async (id) => this.#ofIssue(id, '', change)),
      );
  }

  get #host(): string {
    return new URL(this.#server.origin).host;
  }

  /**
   * Requests an issue by its organisation, as current versions of Sentry do, and without it for
   * servers that are older or of another kind (reference, section 6.2).
   */
  async #ofIssue(id: string, rest: string, request: Omit<SentryRequest, 'path'> = {}): Promise<SentryResponse> {
    // Checked because the id becomes part of an address.
    if (!/^\d{1,20}$/.test(id)) throw unknownError();
    const issue = `issues/${id}/${rest}`;
    const path = `organizations/${this.#server.organization}/${issue}`;
    const response = await requestSentry(this.#server, { ...request, path });
    const found = response.status === 404 ? await requestSentry(this.#server, { ...request, path: issue }) : response;
    if (found.status === 404) throw unknownError();
    return found;
  }
}

function neighbour(event: unknown, name: string): string | null {
  const id = textMember(event, name)?.replaceAll('-', '').toLowerCase() ?? '';
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

function unknownError(): HttpProblem {
  return new HttpProblem(404, 'The external backend has no such error.');
}
