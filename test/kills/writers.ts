import { randomBytes } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hiddenFields } from '../service/accounts/browser.ts';
import type { Expected } from './expected.ts';
import { askAt, type ServiceProcess } from './service-process.ts';

export interface World {
  readonly service: ServiceProcess;
  readonly expected: Expected;
  readonly dir: string;
  readonly random: () => number;
  readonly fixed: Fixed;
}

/** What was made once, before the first kill. */
export interface Fixed {
  readonly project: number;
  /** Its events are thrown away but for a few, so that retention has work at each start. */
  readonly brief: number;
  readonly keys: Readonly<Record<number, string>>;
  readonly client: { readonly id: string; readonly secret: string };
  readonly server: number;
  readonly reader: string;
}

export const password = 'correct horse battery staple';

/** One write; false when the service is gone. */
type Writer = (world: World) => Promise<boolean>;

function pick<T>(random: () => number, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

const newName = (): string => `n${randomBytes(6).toString('hex')}`;

async function registerSomething({ service, expected, dir, random }: World): Promise<boolean> {
  const id = newName();
  const content = `${id} `.repeat(1 + Math.floor(random() * 20_000));
  const folder = path.join(dir, 'sources', id);
  await mkdir(folder, { recursive: true });
  // The second is the same in many measurements: the library keeps it once.
  for (const [name, text] of [
    ['data.txt', content],
    ['shared.txt', 'shared by many'],
  ] as const) {
    await writeFile(path.join(folder, name), text);
    await utimes(path.join(folder, name), 1_700_000_000, 1_700_000_000);
  }
  const answer = await service.ask('POST', '/api/v4/local/registrations', { path: folder, id, copy: random() < 0.6 });
  if (answer?.status === 202) expected.measurements.set(id, { content, removed: 'no' });
  return answer !== null;
}

async function removeSomething({ service, expected, random }: World): Promise<boolean> {
  const [id, one] =
    pick(
      random,
      [...expected.measurements].filter(([, { removed }]) => removed === 'no'),
    ) ?? [];
  if (id === undefined || !one || expected.measurements.size < 5) return true;
  one.removed = 'perhaps';
  const answer = await service.ask('DELETE', `/api/v4/measurements/${id}`);
  if (answer !== null) one.removed = answer.status === 204 ? 'yes' : 'no';
  return answer !== null;
}

async function createToken({ service, expected }: World): Promise<boolean> {
  const answer = await service.ask('POST', '/api/v4/user/personal_access_tokens', { name: newName(), scopes: ['read_api'] });
  if (answer?.status === 201) {
    const { id, token } = answer.body as { id: number; token: string };
    expected.tokens.set(id, { secret: token, revoked: 'no' });
  }
  return answer !== null;
}

async function revokeToken({ service, expected, random }: World): Promise<boolean> {
  const [id, token] =
    pick(
      random,
      [...expected.tokens].filter(([, { revoked }]) => revoked === 'no'),
    ) ?? [];
  if (id === undefined || !token) return true;
  token.revoked = 'perhaps';
  const answer = await service.ask('DELETE', `/api/v4/personal_access_tokens/${id}`);
  if (answer?.status === 204) token.revoked = 'yes';
  return answer !== null;
}

async function changeGrant({ service, expected, random }: World): Promise<boolean> {
  const [key, grant] =
    pick(
      random,
      [...expected.grants].filter(([, { there }]) => there === 'yes'),
    ) ?? [];
  if (key !== undefined && grant && random() < 0.5) {
    grant.there = 'perhaps';
    const answer = await service.ask('DELETE', `/api/v4/measurements/${grant.measurement}/grants/${grant.id}`);
    if (answer?.status === 204) grant.there = 'no';
    return answer !== null;
  }
  const id = pick(
    random,
    [...expected.measurements].filter(([, { removed }]) => removed === 'no'),
  )?.[0];
  const user = pick(random, [...expected.users.values()])?.username;
  if (id === undefined || user === undefined) return true;
  const answer = await service.ask('POST', `/api/v4/measurements/${id}/grants`, { user });
  if (answer?.status === 201 || answer?.status === 200) {
    expected.grants.set(`${id} ${user}`, { id: (answer.body as { id: number }).id, measurement: id, there: 'yes' });
  }
  return answer !== null;
}

async function changeUser({ service, expected, random }: World): Promise<boolean> {
  const [id, user] =
    pick(
      random,
      [...expected.users].filter(([, { username }]) => username !== 'bob'),
    ) ?? [];
  if (id === undefined || !user || random() < 0.4) {
    const username = newName();
    const answer = await service.ask('POST', '/api/v4/users', { username, name: 'Somebody' });
    if (answer?.status === 201) expected.users.set((answer.body as { id: number }).id, { username, blocked: 'no' });
    return answer !== null;
  }
  const blocks = random() < 0.5;
  user.blocked = 'perhaps';
  const answer = await service.ask('POST', `/api/v4/users/${id}/${blocks ? 'block' : 'unblock'}`);
  if (answer?.status === 201) user.blocked = blocks ? 'yes' : 'no';
  return answer !== null;
}

async function signInOrOut({ service, expected, random }: World): Promise<boolean> {
  const [cookie, session] =
    pick(
      random,
      [...expected.sessions].filter(([, { ended }]) => ended === 'no'),
    ) ?? [];
  if (cookie !== undefined && session && random() < 0.5) {
    const asked = await askAt(`${service.url}/api/v4/session`, 'GET', { headers: { cookie } });
    if (!asked) return false;
    session.ended = 'perhaps';
    const { csrf_token: csrf } = JSON.parse(asked.text) as { csrf_token: string };
    const answer = await askAt(`${service.url}/users/sign_out`, 'POST', {
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: `csrf_token=${encodeURIComponent(csrf)}`,
    });
    if (answer !== null && answer.status < 400) session.ended = 'yes';
    return answer !== null;
  }
  const page = await askAt(`${service.url}/users/sign_in`, 'GET');
  if (!page) return false;
  const form = (page.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const answer = await askAt(`${service.url}/users/sign_in`, 'POST', {
    headers: { cookie: form, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ ...hiddenFields(page.text), username: 'bob', password }).toString(),
  });
  if (answer?.status === 303) {
    const made = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '').find((line) => line.includes('session'));
    if (made !== undefined) expected.sessions.set(made, { ended: 'no' });
  }
  return answer !== null;
}

async function oauth({ service, expected, random, fixed }: World): Promise<boolean> {
  const post = async (address: string, fields: Record<string, string>) =>
    askAt(`${service.url}${address}`, 'POST', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: fixed.client.id, client_secret: fixed.client.secret, ...fields }).toString(),
    });
  const family = pick(
    random,
    expected.families.filter(({ ended, busy }) => ended === 'no' && !busy),
  );
  if (!family || random() < 0.3) {
    const answer = await post('/oauth/token', { grant_type: 'password', username: 'bob', password });
    if (answer?.status === 200) {
      const { access_token: access, refresh_token: refresh } = JSON.parse(answer.text) as { access_token: string; refresh_token: string };
      expected.families.push({ access, refresh, ended: 'no', busy: false });
    }
    return answer !== null;
  }
  family.busy = true;
  try {
    if (random() < 0.3) {
      family.ended = 'perhaps';
      const answer = await post('/oauth/revoke', { token: family.refresh });
      if (answer?.status === 200) family.ended = 'yes';
      return answer !== null;
    }
    const answer = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: family.refresh });
    if (answer?.status === 200) {
      const { access_token: access, refresh_token: refresh } = JSON.parse(answer.text) as { access_token: string; refresh_token: string };
      Object.assign(family, { access, refresh });
    }
    return answer !== null;
  } finally {
    family.busy = false;
  }
}

async function sendEvent({ service, expected, random, fixed }: World): Promise<boolean> {
  const id = randomBytes(16).toString('hex');
  const project = random() < 0.3 ? fixed.brief : fixed.project;
  const body = JSON.stringify({
    event_id: id,
    message: `kind ${'abcdefgh'[Math.floor(random() * 8)]?.repeat(3)}`,
    user: { id: Math.floor(random() * 7) },
    release: 'r1',
  });
  const answer = await askAt(`${service.url}/api/v4/error_tracking/collector/api/${project}/store/?sentry_key=${fixed.keys[project]}`, 'POST', { body });
  if (answer?.status === 200 && project === fixed.project) expected.events.add(id);
  return answer !== null;
}

async function changeErrors({ service, expected, random, fixed }: World): Promise<boolean> {
  const list = await service.ask('GET', `/api/v4/projects/${fixed.project}/errors?status=all`);
  if (list?.status !== 200) return list !== null;
  const { errors } = list.body as { errors: readonly { id: string }[] };
  const ids = errors.map(({ id }) => id);
  const one = pick(random, ids);
  if (one === undefined) return true;
  if (random() < 0.4 && ids.length > 1) {
    const other = ids.find((id) => id !== one) ?? '';
    const answer = await service.ask('POST', `/api/v4/projects/${fixed.project}/errors/merge`, { ids: [one, other] });
    for (const id of [one, other]) expected.statuses.delete(id);
    if (answer?.status === 200) expected.merged.add((answer.body as { id: string }).id === one ? other : one);
    return answer !== null;
  }
  const answer = await service.ask('PUT', `/api/v4/projects/${fixed.project}/errors`, { ids: [one], status: 'ignored' });
  if (answer?.status === 204) expected.statuses.set(one, { status: 'ignored', sure: true });
  return answer !== null;
}

async function changeSettings({ service, expected }: World): Promise<boolean> {
  const pattern = newName();
  expected.settings.push(pattern);
  const answer = await service.ask('PUT', '/api/v4/local/ignore-list', { patterns: [pattern] });
  if (answer?.status === 200) expected.settings = expected.settings.slice(expected.settings.indexOf(pattern));
  return answer !== null;
}

async function backUp({ service, expected, dir }: World): Promise<boolean> {
  const file = path.join(dir, 'backups', `${newName()}.zip`);
  const answer = await service.ask('POST', '/api/v4/local/backups', { file });
  if (answer?.status === 202) expected.backups.add(file);
  return answer !== null;
}

async function fetchSomething({ service, expected, dir, random, fixed }: World): Promise<boolean> {
  const id = pick(
    random,
    [...expected.measurements].filter(([, { removed }]) => removed === 'no'),
  )?.[0];
  if (id === undefined || expected.fetches.size > 200) return true;
  const target = path.join(dir, 'fetched', newName());
  await mkdir(target);
  const answer = await service.ask('POST', '/api/v4/local/fetches', { server_id: fixed.server, measurement_id: id, what: 'files', target });
  if (answer?.status === 202) expected.fetches.set((answer.body as { id: number }).id, id);
  return answer !== null;
}

/** Every kind of write with how many of it go on side by side, and how long each rests, in milliseconds. */
export const writers: readonly (readonly [writer: Writer, atOnce: number, rest: number])[] = [
  [registerSomething, 2, 10],
  [removeSomething, 1, 60],
  [createToken, 1, 2],
  [revokeToken, 1, 4],
  [changeGrant, 1, 3],
  [changeUser, 1, 5],
  [signInOrOut, 1, 30],
  [oauth, 2, 10],
  [sendEvent, 4, 0],
  [changeErrors, 1, 10],
  [changeSettings, 1, 5],
  [backUp, 1, 150],
  [fetchSomething, 1, 60],
];
