import type {
  ClientKey,
  ErrorEvent,
  ErrorEventPage,
  ErrorPage,
  ReleaseHealth,
  StackFrame,
} from '../../../src-main/service/contract/errors.ts';
import { startProjectService, type ProjectService } from '../../service/errors/project-fixture.ts';

/**
 * The error and its one event as the screens show them, normalised to the facts that a program
 * knows.
 */
export interface Shown {
  readonly title: string;
  readonly level: string;
  readonly platform: string;
  readonly events: number;
  readonly users: number;
  readonly message: string | null;
  /** The oldest cause first; only the program's own functions, the outermost first. */
  readonly exceptions: readonly {
    readonly type: string | null;
    readonly value: string | null;
    readonly functions: readonly string[];
  }[];
  /** The threads of an event, where some SDKs put the stack. */
  readonly threads: readonly string[];
  readonly release: string | null;
  readonly environment: string | null;
  readonly user: readonly (string | null | undefined)[];
  readonly tags: Readonly<Record<string, string>>;
  readonly breadcrumbs: readonly {
    readonly category: string | null;
    readonly message: string | null;
    readonly level: string | null;
    readonly data: unknown;
  }[];
  readonly sdk: string | null;
}

/** A project with a client key for one program. */
export interface SdkProject {
  readonly id: number;
  readonly publicKey: string;
  readonly dsn: string;
  readonly deprecatedDsn: string;
  /**
   * Received events by the reading API: errors before messages, because either may arrive first.
   */
  shown(): Promise<Shown[]>;
  releases(): Promise<ReleaseHealth[]>;
}

export interface SdkWorld {
  readonly service: ProjectService;
  project(path: string): Promise<SdkProject>;
}

/** A service, with projects created and read by its API. */
export async function startSdkWorld(): Promise<SdkWorld> {
  const service = await startProjectService();
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await service.as.steward(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    service,
    project: async (path) => {
      const { id } = (await ask('POST', '/api/v4/projects', { path })) as { readonly id: number };
      const base = `/api/v4/projects/${id}`;
      await ask('PUT', `${base}/error_tracking/settings`, { active: true, integrated: true });
      const key = (await ask('POST', `${base}/error_tracking/client_keys`)) as ClientKey;
      return {
        id,
        publicKey: key.public_key,
        dsn: key.sentry_dsn,
        deprecatedDsn: key.sentry_dsn_deprecated,
        shown: async () => {
          const page = (await ask('GET', `${base}/errors`)) as ErrorPage;
          const events = await Promise.all(
            page.errors.map(
              (error) => ask('GET', `${base}/errors/${error.id}/events/latest`) as Promise<ErrorEventPage>,
            ),
          );
          const shown = page.errors.map(({ title, level, platform, events: count, users }, at) => ({
            title,
            level,
            platform,
            events: count,
            users,
            ...shownEvent((events[at] as ErrorEventPage).event),
          }));
          return shown.toSorted((one, other) => other.exceptions.length - one.exceptions.length);
        },
        releases: async () => (await ask('GET', `${base}/releases`)) as ReleaseHealth[],
      };
    },
  };
}

function shownEvent(event: ErrorEvent): Omit<Shown, 'title' | 'level' | 'platform' | 'events' | 'users'> {
  return {
    message: event.message?.formatted ?? null,
    exceptions: event.exceptions.map(({ type, value, frames }) => ({ type, value, functions: ownFunctions(frames) })),
    threads: event.threads.flatMap(({ frames }) => ownFunctions(frames)),
    release: event.release,
    environment: event.environment,
    user: [event.user?.id, event.user?.username, event.user?.email],
    tags: Object.fromEntries(event.tags.filter(([tag]) => tag === 'instrument')),
    breadcrumbs: event.breadcrumbs
      .filter(({ category }) => category === 'bench')
      .map(({ category, message, level, data }) => ({ category, message, level, data })),
    sdk: event.sdk === null ? null : `${event.sdk.name} ${event.sdk.version}`,
  };
}

/** The functions that every program has, normalised across languages. */
function ownFunctions(frames: readonly StackFrame[]): string[] {
  return frames.flatMap((frame) => /(?:read_?measurement|open_?device)$/i.exec(frame.function ?? '')?.[0] ?? []);
}
