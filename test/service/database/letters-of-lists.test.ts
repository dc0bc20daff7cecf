import Database from 'better-sqlite3';
import { mkdirSync, rmSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManagedUser } from '../../../src-main/service/contract/account-security.ts';
import type { FetchPage } from '../../../src-main/service/contract/fetches.ts';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { asWindow } from '../as-window.ts';
import { startTestService, type TestService } from '../start.ts';

let service: TestService;
let dataDir: string;
let token: string;

/** A database of an older version, whose case-insensitivity was limited to ASCII. */
function writeOldDatabase(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const database = new Database(path.join(dir, 'benchport.db'));
  migrate(
    database,
    migrations.filter(({ number }) => number <= 17),
    dir,
  );
  database.exec(`
    INSERT INTO users (username, name, email, is_admin, created_at) VALUES ('alice', 'Alice', 'élodie@lab.example', 1, 1), ('bob', 'Bob', 'ÉLODIE@lab.example', 0, 2);
    INSERT INTO settings (key, value) VALUES ('owner_user_id', '1');
    INSERT INTO fetches (base_url, measurement_id, title, what, target, state, position, created_at) VALUES
      ('https://lab.example', 'a', 'Zink', 'files', '/a', 'paused', 1, 1), ('https://lab.example', 'b', 'ÉCLAIR 2', 'files', '/b', 'paused', 2, 2),
      ('https://lab.example', 'c', 'éclair 1', 'files', '/c', 'paused', 3, 3), ('https://lab.example', 'Dose', NULL, 'files', '/d', 'paused', 4, 4),
      ('https://lab.example', 'e', 'Éclair 3', 'files', '/e', 'paused', 5, 5), ('https://lab.example', 'f', 'жук', 'files', '/f', 'paused', 6, 6),
      ('https://lab.example', 'g', 'Ёлка', 'files', '/g', 'paused', 7, 7), ('https://lab.example', 'h', 'ЖУК и лес', 'files', '/h', 'paused', 8, 8);`);
  database.close();
}

beforeAll(async () => {
  dataDir = path.join(mkdtempSync(path.join(os.tmpdir(), 'benchport-letters-')), 'data');
  writeOldDatabase(dataDir);
  service = await startTestService({ dataDir });
  token = await service.token(1, ['api']);
});
afterAll(async () => {
  await service.end();
  rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

async function api(method: string, url: string, body?: unknown) {
  const init = {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await fetch(`${service.url}/api/v4${url}`, init);
  return { status: response.status, body: (await response.json()) as unknown };
}

const add = async (username: string, email: string) =>
  (await api('POST', '/users', { username, name: username, email })).status;
const change = async (id: number, body: object) => (await api('PUT', `/users/${id}`, body)).status;
const found = async (search: string) =>
  ((await api('GET', `/users/managed?search=${encodeURIComponent(search)}`)).body as ManagedUser[]).map(
    ({ username }) => username,
  );

describe('e-mail addresses', () => {
  test('two that differ in the case of a letter stay, are both found, and can be changed', async () => {
    expect(await found('ÉLODIE@')).toEqual(['alice', 'bob']);
    expect(await change(2, { name: 'Robert' })).toBe(200);
    expect(await change(2, { email: 'Élodie@lab.example' })).toBe(200);
  });

  test('a third is refused as long as one of the two exists', async () => {
    expect(await add('carol', 'éLODIE@lab.example')).toBe(409);
    expect(await change(1, { email: null })).toBe(200);
    expect(await add('carol', 'éLODIE@lab.example')).toBe(409);
    expect(await change(1, { email: 'élodie@lab.example' })).toBe(409);
    expect(await change(2, { email: null })).toBe(200);
    expect(await add('carol', 'éLODIE@lab.example')).toBe(201);
  });

  test.each([
    ['accents', 'rené@lab.example', 'RENÉ@LAB.example'],
    ['an accent as a letter of its own', 'zoe\u0301@lab.example', 'ZOÉ@lab.example'],
    ['ß', 'größe@lab.example', 'GRÖSSE@lab.example'],
    ['a capital ẞ', 'STRAẞE@lab.example', 'straße@lab.example'],
    ['Cyrillic', 'жук@lab.example', 'ЖУК@lab.example'],
    ['Greek', 'νους@lab.example', 'ΝΟΥΣ@lab.example'],
    ['English letters', 'dave@lab.example', 'DAVE@lab.example'],
  ])('are equal whatever their case: %s', async (name, one, other) => {
    const username = `u${Buffer.from(name).toString('hex').slice(0, 20)}`;
    expect((await Promise.all([add(username, one), add(`${username}-2`, other)])).toSorted((a, b) => a - b)).toEqual([
      201, 409,
    ]);
    expect(await change(1, { email: other })).toBe(409);
    expect(await found(other)).toHaveLength(1);
    expect(((await api('GET', `/users?search=${encodeURIComponent(other)}`)).body as unknown[]).length).toBe(1);
  });
});

test('fetches are sorted and searched by title case-insensitively for all letters, also older ones', async () => {
  const titles = async (query: string) =>
    ((await asWindow(service, 'GET', `/api/v4/local/fetches?${query}`)).body as FetchPage).items.map(
      (fetch) => fetch.title ?? fetch.measurement_id,
    );
  const server = await service.services.servers.create({
    name: 'Lab',
    base_url: 'https://lab.example',
    certificate: null,
    token: null,
  });
  service.services.events.emit('changed', { topic: 'servers' });
  const wish = {
    server_id: server?.id,
    measurement_id: 'i',
    title: 'éCLAIR 4',
    what: 'files',
    target: path.dirname(dataDir),
    paused: true,
  };
  expect((await asWindow(service, 'POST', '/api/v4/local/fetches', wish)).status).toBe(202);
  const sorted = ['Dose', 'Zink', 'éclair 1', 'ÉCLAIR 2', 'Éclair 3', 'éCLAIR 4', 'Ёлка', 'жук', 'ЖУК и лес'];
  expect(await titles('sort=title&order=asc')).toEqual(sorted);
  expect(await titles('sort=title&order=desc')).toEqual(sorted.toReversed());
  expect((await titles(`search=${encodeURIComponent('ÉCLAIR')}&sort=title&order=asc`)).length).toBe(4);
  expect(await titles('search=dOS')).toEqual(['Dose']);
});
