import { expect, test } from 'vitest';
import { announceCommands } from '../../../../src-renderer/features/errors/announce-commands.ts';
import { slugsOf } from '../../../../src-main/service/errors/sentry-api/slugs.ts';
import { startProjectService } from '../project-fixture.ts';
import { useWorld } from '../../use-service.ts';

const service = useWorld(startProjectService);

const address = '/api/v4/projects/lab%2Fqmr/error_tracking/releases';
const announced = '/api/0/organizations/lab/releases';

test('announced releases are listed for members, the newest first, with their last five deploys and their source maps', async () => {
  expect((await service.as.reporter('GET', address)).body).toEqual([]);
  expect((await service.as.outsider('GET', address)).status).toBe(404);
  expect((await service.with(null)('GET', address)).status).toBe(401);

  const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' };
  for (const [release, name] of [
    ['1.0', 'a.js'],
    ['1.1', 'a.js'],
    ['1.1', 'b.js'],
  ])
    expect(
      (
        await service.as.developer(
          'POST',
          `/api/v4/projects/lab%2Fqmr/error_tracking/source_maps?release=${release}&name=${name}`,
          map,
        )
      ).status,
    ).toBe(201);
  await service.as.developer('POST', announced, { version: '1.0', projects: ['qmr'] });
  await service.as.developer('POST', announced, {
    version: '1.1',
    projects: ['qmr'],
    dateStarted: '2026-03-01T10:00:00Z',
    dateReleased: '2026-03-02T10:00:00Z',
  });
  for (let day = 1; day <= 6; day += 1)
    await service.as.developer('POST', `${announced}/1.1/deploys`, {
      environment: 'bench',
      name: `night ${day}`,
      dateFinished: `2026-03-0${day}T04:00:00Z`,
    });

  const { body } = await service.as.reporter('GET', address);
  const deploys = [6, 5, 4, 3, 2].map((day) => ({
    environment: 'bench',
    name: `night ${day}`,
    url: null,
    finished_at: `2026-03-0${day}T04:00:00.000Z`,
  }));
  expect(body).toEqual([
    {
      version: '1.1',
      url: null,
      archived: false,
      announced_at: '2026-03-01T10:00:00.000Z',
      released_at: '2026-03-02T10:00:00.000Z',
      source_maps: 2,
      deploy_count: 6,
      deploys,
    },
    expect.objectContaining({ version: '1.0', released_at: null, source_maps: 1, deploy_count: 0, deploys: [] }),
  ]);
});

test.each(['qmr', 'lab/qmr', 'lab/bench/qmr'])(
  'the commands that announce a release of %s name it as the service reads it',
  (path) => {
    const { organization, project } = slugsOf({ path });
    expect(announceCommands(path, 'http://127.0.0.1:7420')).toContain(
      `SENTRY_ORG='${organization}' SENTRY_PROJECT=${project}\n`,
    );
  },
);
