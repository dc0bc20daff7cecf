import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answered } from './expected.ts';
import { newName, pick, type World } from './world.ts';

export async function registerSomething({ service, expected, dir, random }: World): Promise<boolean> {
  const id = newName();
  const content = `${id} `.repeat(1 + Math.floor(random() * 20_000));
  const folder = path.join(dir, 'sources', id);
  await mkdir(folder, { recursive: true });
  // The second file is the same in many measurements, which the library stores once.
  for (const [name, text] of [
    ['data.txt', content],
    ['shared.txt', 'shared by many'],
  ] as const) {
    await writeFile(path.join(folder, name), text);
    await utimes(path.join(folder, name), 1_700_000_000, 1_700_000_000);
  }
  const answer = await service.ask('POST', '/api/v4/local/registrations', { path: folder, id, copy: random() < 0.6 });
  if (answer?.status === 202) {
    expected.measurements.set(id, { content, removed: 'no' });
    expected.jobs.set((answer.body as { id: number }).id, id);
    answered(expected, 'registration');
  }
  return answer !== null;
}

export async function removeSomething({ service, expected, random }: World): Promise<boolean> {
  const [id, one] =
    pick(
      random,
      [...expected.measurements].filter(([, { removed }]) => removed === 'no'),
    ) ?? [];
  if (id === undefined || !one || expected.measurements.size < 3) return true;
  one.removed = 'perhaps';
  const answer = await service.ask('DELETE', `/api/v4/measurements/${id}`);
  if (answer !== null) one.removed = answer.status === 204 ? 'yes' : 'no';
  if (answer?.status === 204) answered(expected, 'removal');
  return answer !== null;
}

/** Two of three that were removed are restored; what was removed for good is found nowhere. */
export async function restoreOrPurge({ service, expected, random }: World): Promise<boolean> {
  const [id, one] =
    pick(
      random,
      [...expected.measurements].filter(([, { removed }]) => removed === 'yes'),
    ) ?? [];
  if (id === undefined || !one) return true;
  const found = await service.ask('GET', `/api/v4/removed_measurements?measurement_id=${id}`);
  const [removal] = found?.status === 200 ? (found.body as readonly { id: number }[]) : [];
  if (!removal) return found !== null;
  if (random() < 0.33) {
    const answer = await service.ask('DELETE', `/api/v4/removed_measurements/${removal.id}`);
    if (answer?.status === 204) answered(expected, 'removal for good');
    return answer !== null;
  }
  one.removed = 'perhaps';
  const answer = await service.ask('POST', `/api/v4/removed_measurements/${removal.id}/restore`);
  if (answer?.status === 200) {
    one.removed = 'no';
    answered(expected, 'restoration');
  }
  return answer !== null;
}

export async function changeGrant({ service, expected, random }: World): Promise<boolean> {
  const [key, grant] =
    pick(
      random,
      [...expected.grants].filter(([, { there }]) => there === 'yes'),
    ) ?? [];
  if (key !== undefined && grant && random() < 0.5) {
    grant.there = 'perhaps';
    const answer = await service.ask('DELETE', `/api/v4/measurements/${grant.measurement}/grants/${grant.id}`);
    if (answer?.status === 204) {
      grant.there = 'no';
      answered(expected, 'grant taken back');
    }
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
    answered(expected, 'grant');
  }
  return answer !== null;
}

export async function fetchSomething({ service, expected, dir, random, fixed }: World): Promise<boolean> {
  const id = pick(
    random,
    [...expected.measurements].filter(([, { removed }]) => removed === 'no'),
  )?.[0];
  if (id === undefined || expected.fetches.size > 200) return true;
  const target = path.join(dir, 'fetched', newName());
  await mkdir(target);
  const answer = await service.ask('POST', '/api/v4/local/fetches', {
    server_id: fixed.server,
    measurement_id: id,
    what: 'files',
    target,
  });
  if (answer?.status === 202) {
    expected.fetches.set((answer.body as { id: number }).id, id);
    answered(expected, 'fetch');
  }
  return answer !== null;
}

export async function backUp({ service, expected, dir }: World): Promise<boolean> {
  const file = path.join(dir, 'backups', `${newName()}.zip`);
  const before = { events: expected.events.size, tokens: expected.tokens.size };
  const answer = await service.ask('POST', '/api/v4/local/backups', { file });
  if (answer?.status === 202) {
    expected.backups.set(file, before);
    expected.jobs.set((answer.body as { id: number }).id, '');
    answered(expected, 'backup');
  }
  return answer !== null;
}
