import { beforeAll, describe, expect, test } from 'vitest';
import { asWindow } from '../as-window.ts';
import { addMeasurement, openBeside } from '../fixture-measurement.ts';
import { addUser } from '../people.ts';
import { useTestService } from '../use-service.ts';

const service = useTestService();
let bob: number;

beforeAll(async () => {
  await asWindow(service, 'POST', '/api/v4/setup', { username: 'alice', name: 'Alice' });
  bob = (await addUser(service.services, 'bob')).id;
  await addMeasurement(service, 1, 'm', [{ path: 'a.bin', bytes: Buffer.from('a') }]);
  const project = await service.services.projects.create('lab/a', 'a');
  await service.services.projects.setMember(project?.id ?? 0, 1, 'owner');
});

const names = [
  'bell \u0007',
  'clear \u001b[2J',
  'two\nlines',
  'c1 \u009b',
  'turned \u202etxt',
  'isolate \u2066',
  'mark \u200e',
  'nothing \u200b',
  'line \u2028x',
];
const routes: readonly (readonly [method: string, path: string, body: (name: string) => object])[] = [
  ['PATCH', '/api/v4/measurements/m', (title) => ({ title })],
  ['POST', '/api/v4/users', (name) => ({ username: 'carol', name })],
  ['PUT', '/api/v4/users/2', (name) => ({ name })],
  ['POST', '/api/v4/projects', (name) => ({ path: 'lab/b', name })],
  ['PATCH', '/api/v4/projects/lab%2Fa', (name) => ({ name })],
  ['POST', '/api/v4/user/personal_access_tokens', (name) => ({ name, scopes: ['api'] })],
  ['POST', '/api/v4/user/personal_access_tokens', (description) => ({ name: 'bench', description, scopes: ['api'] })],
  [
    'POST',
    '/api/v4/user/applications',
    (name) => ({ name, redirect_uris: ['https://a.example/'], scopes: ['api'], confidential: true }),
  ],
  ['POST', '/api/v4/local/servers', (name) => ({ name: `${name}.`, base_url: 'https://bench.example' })],
];

describe('L1: new titles and names have no invisible characters', () => {
  test.each(routes)('%s %s', async (method, path, body) => {
    for (const name of names) {
      // A description may have several lines.
      if ('description' in body(name) && name.includes('\n')) continue;
      const { status, body: answer } = await asWindow(service, method, path, body(name));
      expect([JSON.stringify(name), status, JSON.stringify(answer)]).toEqual([
        JSON.stringify(name),
        400,
        expect.stringMatching(/invisible characters/),
      ]);
    }
  });

  test('letters of all scripts, joiners and emoji are kept', async () => {
    for (const title of ['Größe 5 µm', 'שלום', 'می\u200cخواهم', '👩\u200d🔬 ✔\uFE0F', '磁場']) {
      expect(await asWindow(service, 'PATCH', '/api/v4/measurements/m', { title })).toMatchObject({
        status: 200,
        body: { title },
      });
    }
  });

  test('older names stay readable, and may be kept while another field changes', async () => {
    const beside = openBeside(service);
    beside.prepare('UPDATE users SET name = ? WHERE id = ?').run('old \u202ename', bob);
    beside.close();
    expect(
      await asWindow(service, 'PUT', `/api/v4/users/${bob}`, { name: 'old \u202ename', email: 'bob@lab.example' }),
    ).toMatchObject({
      status: 200,
      body: { name: 'old \u202ename', email: 'bob@lab.example' },
    });
  });
});
