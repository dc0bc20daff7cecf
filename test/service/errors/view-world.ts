import { prepareEvent } from '../../../src-main/service/errors/events/prepare-event.ts';
import { userHasher } from '../../../src-main/service/errors/events/user-hash.ts';
import { startProjectService, type ApiAnswer, type ProjectService } from './project-fixture.ts';

export interface EventWish {
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  readonly value?: string | undefined;
  /** When the error happened, and when it was received if that differs. */
  readonly at?: number | undefined;
  readonly receivedAt?: number | undefined;
  readonly level?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  readonly user?: string | undefined;
  readonly tags?: Readonly<Record<string, string>>;
  readonly projectId?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface ViewWorld extends ProjectService {
  /** Stores an event as if an SDK had sent it. @returns the number of its error. */
  event(wish: EventWish): Promise<string>;
  /** Switches integrated error tracking on, with other settings of the project. */
  settings(body: object): Promise<ApiAnswer>;
  /** Path of the errors in the API. */
  readonly errors: string;
}

/** A service with `lab/qmr`, into which events can be put. */
export async function startViewWorld(): Promise<ViewWorld> {
  const world = await startProjectService();
  const key = await world.services.clientKeys.create(world.projectId, `bpk_${'a'.repeat(32)}`);
  const hashUser = userHasher(world.services.secrets);
  return {
    ...world,
    errors: `/api/v4/projects/${world.projectId}/errors`,
    settings: (body) =>
      world.as.maintainer('PUT', `/api/v4/projects/${world.projectId}/error_tracking/settings`, {
        active: true,
        integrated: true,
        ...body,
      }),
    event: async (wish) => {
      const {
        type = 'ValueError',
        value = 'no signal',
        at = Date.now(),
        receivedAt = at,
        projectId = world.projectId,
      } = wish;
      const payload = {
        event_id: wish.id ?? undefined,
        platform: 'python',
        level: wish.level,
        release: wish.release,
        environment: wish.environment,
        timestamp: at / 1000,
        tags: wish.tags,
        ...(wish.user === undefined ? {} : { user: { id: wish.user } }),
        exception: {
          values: [
            {
              type,
              value,
              stacktrace: {
                frames: [{ function: `f_${type}`, module: 'bench', filename: 'bench.py', lineno: 7, in_app: true }],
              },
            },
          ],
        },
        ...wish.more,
      };
      const event = prepareEvent(Buffer.from(JSON.stringify(payload)), {
        receivedAt,
        eventId: null,
        sentAt: null,
        sdk: null,
        address: null,
      });
      if (!event) throw new Error('no event');
      const stored = await world.services.errorEvents.add({
        projectId,
        keyId: key.id,
        event,
        userHash: hashUser(projectId, event.user),
      });
      return String(stored.errorId);
    },
  };
}
