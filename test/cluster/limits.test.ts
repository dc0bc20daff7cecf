import { beforeAll, expect, test } from 'vitest';
import { browserAt } from '../service/browser.ts';
import { addUser } from '../service/people.ts';
import { useTestService } from '../service/use-service.ts';

const service = useTestService();
beforeAll(async () => {
  await addUser(service.services, 'alice', { password: 'a rather long word' });
});

test('replicas together check no more guesses at one account from one address than one service does', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 24; i += 1) statuses.push((await browserAt(service).signIn('alice', `wrong ${i}`)).status);
  const checked = statuses.filter((status) => status === 422).length;
  expect(checked).toBeGreaterThanOrEqual(3);
  expect(checked).toBeLessThanOrEqual(10);
  expect(statuses.slice(-8)).toEqual(Array(8).fill(429));
  expect((await browserAt(service).signIn('alice', 'a rather long word')).status).toBe(429);
});
