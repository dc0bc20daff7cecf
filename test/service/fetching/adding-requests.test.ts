import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AddingRequests } from '../../../src-main/service/fetching/adding-requests.ts';

test('an early cancel counts once, and is forgotten when a thousand others came after it', () => {
  const requests = new AddingRequests();
  for (let at = 0; at <= 1000; at += 1) requests.cancel(`key-${at}`);
  expect(requests.begin('key-0').aborted).toBe(false);
  expect(requests.begin('key-1').aborted).toBe(true);
  requests.end('key-1');
  expect(requests.begin('key-1').aborted).toBe(false);
});

test('an early cancel is forgotten after a while', async () => {
  const requests = new AddingRequests(20);
  requests.cancel('late');
  await sleep(50);
  expect(requests.begin('late').aborted).toBe(false);
});
