import { afterEach, beforeEach, expect, test } from 'vitest';
import { ShortLived } from '../../../src-main/service/short-lived/short-lived.ts';
import { openBeside } from '../fixture-measurement.ts';
import { useTestService } from '../use-service.ts';

interface Page {
  readonly of: string;
}

const service = useTestService();
const alice = 1;
const bob = 2;
let end: number;
let beside: ReturnType<typeof openBeside>;

beforeEach(() => {
  end = Date.now() + 60_000;
  beside = openBeside(service);
  beside.exec('DELETE FROM short_lived');
});
afterEach(() => beside.close());

const kindOf = (kind: string) =>
  new ShortLived<Page>(service.services.shortLived, { kind, maxEntries: 20, maxPerOwner: 5 });
/** Later with each call, as rows of one kind are. */
const soon = () => {
  end += 1;
  return end;
};
const rows = () => beside.prepare('SELECT count(*) FROM short_lived').pluck().get();

test('a flood by one user keeps the values of others', async () => {
  const pages = kindOf('page');
  await pages.put('of alice', alice, { of: 'alice' }, soon());
  for (let count = 0; count < 50; count += 1) await pages.put(`of bob ${count}`, bob, { of: 'bob' }, soon());
  expect(await pages.peek('of alice')).toEqual({ of: 'alice' });
  expect(rows()).toBe(6);
  expect([await pages.peek('of bob 44'), await pages.peek('of bob 45')]).toEqual([null, { of: 'bob' }]);
});

test('a flood by two users at once ends at their limits', async () => {
  const pages = kindOf('page');
  await pages.put('of alice', alice, { of: 'alice' }, soon());
  const flood = Array.from({ length: 60 }, async (_, at) =>
    pages.put(`of another ${at}`, bob + (at % 2), { of: 'another' }, soon()),
  );
  await Promise.all(flood);
  expect(await pages.peek('of alice')).toEqual({ of: 'alice' });
  expect(rows()).toBe(11);
});

test('when many users fill it, the values that end first are evicted', async () => {
  const pages = kindOf('page');
  const others = kindOf('other');
  await others.put('of 0', 0, { of: 'another kind' }, soon());
  for (let user = 0; user < 21; user += 1) await pages.put(`of ${user}`, user, { of: String(user) }, soon());
  expect([await pages.peek('of 0'), await pages.peek('of 1'), await pages.peek('of 20')]).toEqual([
    null,
    { of: '1' },
    { of: '20' },
  ]);
  expect(await others.peek('of 0')).toEqual({ of: 'another kind' });
});

test('a value is taken once, and found by its kind only', async () => {
  const pages = kindOf('page');
  await pages.put('secret', alice, { of: 'alice' }, soon());
  expect(await kindOf('other').take('secret')).toBeNull();
  expect(await pages.peek('secret')).toEqual({ of: 'alice' });
  const taken = await Promise.all(Array.from({ length: 10 }, async () => pages.take('secret')));
  expect(taken.filter((value) => value !== null)).toEqual([{ of: 'alice' }]);
  expect(await pages.peek('secret')).toBeNull();
});

test('a value is replaced by the next one with the same secret', async () => {
  const pages = kindOf('page');
  await pages.put('secret', alice, { of: 'alice' }, soon());
  await pages.put('secret', alice, { of: 'alice, later' }, soon());
  expect(rows()).toBe(1);
  expect(await pages.take('secret')).toEqual({ of: 'alice, later' });
});

test('an expired value is neither seen nor taken, and purged', async () => {
  const pages = kindOf('page');
  await pages.put('old', alice, { of: 'alice' }, Date.now() - 1);
  await pages.put('new', alice, { of: 'alice' }, soon());
  expect([await pages.peek('old'), await pages.take('old')]).toEqual([null, null]);
  expect(rows()).toBe(2);
  expect(await service.services.shortLived.purgeSome(Date.now())).toBe(false);
  expect(rows()).toBe(1);
  expect(await pages.peek('new')).toEqual({ of: 'alice' });
});

test('a value of more than 64 KiB is refused, and any text comes back as it was', async () => {
  const pages = kindOf('page');
  await expect(pages.put('long', alice, { of: 'x'.repeat(64 * 1024) }, soon())).rejects.toThrow(
    'a value of page is longer than 65536 bytes',
  );
  expect(rows()).toBe(0);
  const text = '\u0000\u0001"\\ ü \uD800';
  await pages.put('odd', alice, { of: text }, soon());
  expect(await pages.take('odd')).toEqual({ of: text });
});

test('the table has neither the secret nor the value in clear, and a row of another secret opens nothing', async () => {
  const pages = kindOf('page');
  await pages.put('a secret of the browser', alice, { of: 'a state of the client' }, soon());
  const row = beside.prepare('SELECT key, value FROM short_lived').get() as Readonly<Record<'key' | 'value', Buffer>>;
  expect(row.key).toHaveLength(32);
  const stored = Buffer.concat([row.key, row.value]).toString('latin1');
  expect(stored).not.toContain('secret of the browser');
  expect(stored).not.toContain('state of the client');
  await pages.put('another', bob, { of: 'bob' }, soon());
  beside.exec('DELETE FROM short_lived WHERE owner_id = 1');
  beside.prepare('UPDATE short_lived SET key = ?').run(row.key);
  await expect(pages.peek('a secret of the browser')).rejects.toThrow();
});
