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
    const file = /src-main\/service\/([^:?]*-(?:store|list|writer|rows|sql|counts)[^:?]*\.ts|[^:?]*\.ts)/.exec(
      (new Error('where').stack ?? '')
        .split('\n')
        .find((line) => line.includes('src-main/service/') && !line.includes('port/query')) ?? '',
    );
    found.push({ file: file?.[1] ?? 'unknown', text });
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
