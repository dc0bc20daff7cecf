import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { compileQuery } from '../../../src-main/service/database/postgres/compile.ts';
import { textFor } from '../../../src-main/service/database/port/dialect.ts';
import { createTestDatabase } from '../postgres/database.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const service = path.join(root, 'src-main/service');

interface Found {
  readonly file: string;
  readonly text: string;
}
const { found } = vi.hoisted(() => ({ found: [] as Found[] }));

vi.mock('../../../src-main/service/database/port/query.ts', async (original) => {
  const real = await original<Record<string, unknown>>();
  const noting = (make: (text: string) => unknown) => (text: string) => {
    const caller = (new Error('where').stack ?? '')
      .split('\n')
      .find((line) => line.includes('src-main/service/') && !line.includes('/port/'));
    const file = /src-main\/service\/([\w/.-]+?\.ts)/.exec(caller ?? '')?.[1];
    found.push({ file: file ?? 'unknown', text });
    return make(text);
  };
  return Object.fromEntries(
    Object.entries(real).map(([name, value]) => [name, noting(value as (text: string) => unknown)]),
  );
});

async function queries(): Promise<readonly Found[]> {
  const names = await fs.readdir(service, { recursive: true });
  for (const name of names.filter((one) => /(?:store|list|writer|user-agents|group)[\w-]*\.ts$/.test(one)))
    await import(path.join(service, name));
  return found;
}

it('PostgreSQL understands every query that stores hold', async () => {
  const all = await queries();
  expect(all.length).toBeGreaterThan(300);
  const made = await createTestDatabase();
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  const refused: string[] = [];
  try {
    for (const { file, text } of all) {
      const { text: sql } = compileQuery(textFor('postgres', text));
      await client.query(`PREPARE one AS ${sql}`).then(
        async () => client.query('DEALLOCATE one'),
        (error: unknown) => refused.push(`${file}: ${String(error)}\n${sql}`),
      );
    }
  } finally {
    await client.end();
    await made.remove();
  }
  expect(refused).toEqual([]);
});

function grouped(all: readonly Found[], keyOf: (one: Found) => string): Map<string, readonly Found[]> {
  const groups = new Map<string, readonly Found[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** Without the indentation of the source. */
function plain(sql: string): string {
  return sql
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n  ');
}

it('docs/queries has the queries of every store as they are', async () => {
  const rooms = grouped(await queries(), ({ file }) => file.split('/')[0] ?? '');
  expect([...rooms.keys()]).not.toContain('unknown');
  for (const [room, all] of rooms) {
    const files = [...grouped(all, ({ file }) => file)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const parts = files.flatMap(([file, list]) => [
      `-- src-main/service/${file}`,
      ...new Set(list.map(({ text }) => bothTexts(text))),
    ]);
    await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(path.join(root, 'docs/queries', `${room}.sql`));
  }
});

function bothTexts(text: string): string {
  const [sqlite, postgres] = [plain(textFor('sqlite', text)), plain(textFor('postgres', text))];
  return sqlite === postgres ? `${sqlite};` : `-- SQLite\n${sqlite};\n-- PostgreSQL\n${postgres};`;
}
