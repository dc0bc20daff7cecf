import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteChangeCounter } from '../../../src-main/service/database/change-counter.ts';
import { QueryCache } from '../../../src-main/service/database/query-cache.ts';

let database: Database.Database;
let changes: SqliteChangeCounter;
let cache: QueryCache<string>;
let lookUps: string[];

beforeEach(() => {
  database = new Database(':memory:');
  changes = new SqliteChangeCounter(database);
  cache = new QueryCache(changes, 3);
  lookUps = [];
});

afterEach(() => database.close());

async function find(key: string, answer: string | null = key.toUpperCase()): Promise<string | null> {
  return cache.find(key, async () => {
    lookUps.push(key);
    return answer;
  });
}

test('an answer in use stays cached while others are evicted', async () => {
  await find('hot');
  for (const cold of ['a', 'b', 'c', 'd', 'e']) {
    await find(cold);
    expect(await find('hot')).toBe('HOT');
    expect(cache.get('hot')).toBe('HOT');
  }
  expect(lookUps).toEqual(['hot', 'a', 'b', 'c', 'd', 'e']);
  expect(cache.get('a')).toBeUndefined();
});

test('a change empties the cache', async () => {
  await find('hot');
  changes.bump();
  expect(cache.get('hot')).toBeUndefined();
  await find('hot');
  expect(lookUps).toEqual(['hot', 'hot']);
});

test('neither null nor an answer older than a change is cached', async () => {
  expect(await find('missing', null)).toBeNull();
  expect(await find('missing', null)).toBeNull();
  expect(lookUps).toEqual(['missing', 'missing']);
  await cache.find('late', async () => {
    changes.bump();
    return 'old';
  });
  expect(cache.get('late')).toBeUndefined();
});
