import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationTest } from '../../../src-main/service/contract/notifications/notifications.ts';
import { until } from '../until.ts';
import { startNotifyWorld, type NotifyWorld } from './notify-world.ts';

let world: NotifyWorld;
beforeAll(async () => {
  world = await startNotifyWorld();
});
beforeEach(async () => void (await world.call('PUT', '/application/mail_server', world.mailServer())));
afterAll(async () => world.end());

test('mail is sent with the login, and tells what and where', async () => {
  await world.hook();
  await world.create('alice@lab.example');
  const id = await world.degraded();
  await until(() => world.mail.mails.some(({ text }) => text.includes(id)), 'a mail came');
  const found = world.mail.mails.find(({ text }) => text.includes(id));
  expect(found).toMatchObject({ to: ['alice@lab.example'], user: 'bench' });
  expect(found?.text).toContain(`Subject: Degraded: ${id}`);
  expect(found?.text).toContain('Auto-Submitted: auto-generated');
});

test('mail of a test shows the dialogue, without the password', async () => {
  await world.hook();
  const rule = await world.create('alice@lab.example');
  const { body } = await world.call('POST', `/user/notifications/${rule.id}/test`);
  const result = body as NotificationTest;
  expect(result).toMatchObject({ sent: true });
  const dialogue = result.dialogue.join('\n');
  expect(dialogue).toMatch(/C: EHLO/);
  expect(dialogue).toMatch(/S: 250/);
  expect(dialogue).not.toContain('seven lamps');
  expect(dialogue).not.toContain(Buffer.from('seven lamps').toString('base64'));
  expect(dialogue).not.toContain(Buffer.from('\0bench\0seven lamps').toString('base64'));
});

test.each([
  ['a wrong password', { password: 'six lamps' }, /refused the user name or the password/],
  ['a server that is not there', { port: 1 }, /cannot be reached/],
  ['encryption that is not offered', { security: 'starttls' }, /no encryption/],
])('mail with %s says so', async (_what, changes, message) => {
  await world.call('PUT', '/application/mail_server', world.mailServer(changes));
  const { body } = await world.call('POST', '/application/mail_server/test', { to: 'alice@lab.example' });
  expect(body).toMatchObject({ sent: false, message: expect.stringMatching(message) });
});

test('mail to an address that the server refuses pauses the rule', async () => {
  await world.hook();
  const rule = await world.create('nobody@lab.example');
  await world.degraded();
  await world.untilPaused(rule.id);
});

test('mail keeps its password for the same server alone, and never shows it', async () => {
  await world.hook();
  const rest = world.mailServer({ password: undefined });
  expect((await world.call('PUT', '/application/mail_server', rest)).body).toMatchObject({ has_password: true });
  const other = await world.call('PUT', '/application/mail_server', { ...rest, host: 'localhost' });
  expect(other.body).toMatchObject({ has_password: false });
});
