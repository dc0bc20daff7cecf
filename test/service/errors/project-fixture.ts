import { startTestService, type TestService } from '../start.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Send = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

const roles = ['reporter', 'developer', 'maintainer', 'owner'] as const;
export type Person = (typeof roles)[number] | 'outsider' | 'steward';

export interface ProjectService extends TestService {
  /** The number of `lab/qmr`. */
  readonly projectId: number;
  readonly userIds: Readonly<Record<Person, number>>;
  /**
   * Sends requests with an `api` token of a member of `lab/qmr` with this role, an outsider, or an
   * administrator.
   */
  readonly as: Readonly<Record<Person, Send>>;
  /** Sends requests with the given token, or without one. */
  with(token: string | null): Send;
}

/** A service with the project `lab/qmr` and one user in each role. */
export async function startProjectService(
  overrides: Parameters<typeof startTestService>[0] = {},
): Promise<ProjectService> {
  const service = await startTestService(overrides);
  const project = await service.services.projects.create('lab/qmr', 'QMR');
  if (!project) throw new Error('no project');
  const withToken =
    (token: string | null): Send =>
    async (method, path, body) => {
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(token === null ? {} : { 'private-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : (JSON.parse(text) as unknown),
      };
    };
  const userIds: Partial<Record<Person, number>> = {};
  const as: Partial<Record<Person, Send>> = {};
  for (const person of [...roles, 'outsider', 'steward'] as const) {
    const id = await service.user(person, person === 'steward');
    userIds[person] = id;
    as[person] = withToken(await service.token(id, ['api']));
    const role = roles.find((one) => one === person);
    if (role) await service.services.projects.setMember(project.id, id, role);
  }
  return {
    ...service,
    projectId: project.id,
    userIds: userIds as Record<Person, number>,
    as: as as Record<Person, Send>,
    with: withToken,
  };
}
