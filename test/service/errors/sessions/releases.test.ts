import { beforeAll, expect, it } from 'vitest';
import type { ReleaseHealth } from '../../../../src-main/service/contract/errors.ts';
import { startProjectService } from '../project-fixture.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startProjectService);
const today = Math.floor(Date.now() / 86_400_000);

beforeAll(async () => {
  const add = async (release: string, day: number, exited: number, crashed: number, user: string | null) =>
    world.services.releaseSessions.add([
      {
        projectId: world.projectId,
        release,
        user: null,
        environment: 'lab',
        day,
        exited,
        errored: 0,
        abnormal: 0,
        crashed,
        userHash: user === null ? null : Buffer.from(user),
      },
    ]);
  await add('1.0', today - 1, 7, 1, 'alice');
  await add('1.0', today - 1, 0, 0, 'nobody');
  await add('1.0', today - 1, 1, 0, 'bob');
  await add('1.0', today, 1, 0, 'alice');
  await add('1.1', today - 2, 4, 0, null);
  await add('0.1', today - 14, 4, 0, 'alice');
});

it('release health has crash-free shares by release and by day, and counts a user of several days once', async () => {
  const { status, body } = await world.as.reporter('GET', '/api/v4/projects/lab%2Fqmr/releases');
  expect(status).toBe(200);
  const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);
  expect(body).toEqual([
    {
      release: '1.0',
      environment: 'lab',
      sessions: 10,
      crash_free_sessions: 0.9,
      users: 2,
      crash_free_users: 0.5,
      days: [
        { day: day(today - 1), sessions: 9, crash_free_sessions: 1 - 1 / 9, users: 2, crash_free_users: 0.5 },
        { day: day(today), sessions: 1, crash_free_sessions: 1, users: 1, crash_free_users: 1 },
      ],
    },
    {
      release: '1.1',
      environment: 'lab',
      sessions: 4,
      crash_free_sessions: 1,
      users: 0,
      crash_free_users: null,
      days: [{ day: day(today - 2), sessions: 4, crash_free_sessions: 1, users: 0, crash_free_users: null }],
    },
  ] satisfies ReleaseHealth[]);
  expect((await world.as.outsider('GET', '/api/v4/projects/lab%2Fqmr/releases')).status).toBe(404);
});
