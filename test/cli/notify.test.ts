import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailReceiver, webhookReceiver } from '../service/notifications/receivers.ts';
import { commandLine, type CommandLine } from './command-line.ts';

let cli: CommandLine;
let hook: Awaited<ReturnType<typeof webhookReceiver>>;
let mail: Awaited<ReturnType<typeof mailReceiver>>;

beforeAll(async () => {
  cli = await commandLine();
  await cli.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], 'seven lamps over 9 benches\n');
  await cli.ok(['user', 'create', 'bob', '--password-stdin'], 'seven lamps over 9 benches\n');
  [hook, mail] = [await webhookReceiver(), await mailReceiver()];
});
afterAll(async () => {
  await cli.end();
  await Promise.all([hook.end(), mail.end()]);
});

describe('notify', () => {
  test('adds a webhook, whose secret is printed once, and sends a test', async () => {
    const secret = await cli.ok(['notify', 'add', 'chat', '--user', 'alice', '--on', 'all', '--webhook', hook.url]);
    expect(secret.trim()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await cli.ok(['notify', 'list', '--user', 'alice'])).toMatch(
      /^chat +run-registered,.+webhook +http.+ok +0$/m,
    );
    expect(await cli.ok(['notify', 'test', 'Chat', '--user', 'alice'])).toBe('The receiver has taken the message.');
    expect(hook.received).toHaveLength(1);
    await cli.ok(['notify', 'remove', 'chat', '--user', 'alice']);
    expect(JSON.parse(await cli.ok(['notify', 'list', '--user', 'alice', '--json']))).toEqual([]);
  });

  test('sends mail by the server that is set, and shows the dialogue', async () => {
    expect(await cli.ok(['notify', 'mail-server'])).toBe('No mail is sent.');
    const server = ['--host', '127.0.0.1', '--port', String(mail.port), '--security', 'none', '--username', 'bench'];
    await cli.ok(
      ['notify', 'mail-server', ...server, '--from', 'bench@lab.example', '--password-stdin'],
      'seven lamps\n',
    );
    const rule = ['--on', 'run-stuck,degraded', '--mail', 'bob@lab.example', '--quiet', '22-7', '--digest', 'daily'];
    await cli.ok(['notify', 'add', 'night', '--user', 'bob', ...rule]);
    const { status, stderr } = await cli.run(['notify', 'test', 'night', '--user', 'bob']);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^C: EHLO/m);
    expect(stderr).not.toContain('seven lamps');
    expect(mail.mails).toMatchObject([{ to: ['bob@lab.example'] }]);
    expect(await cli.ok(['notify', 'mail-server', '--none'])).toBe('No mail is sent.');
    expect((await cli.run(['notify', 'test', 'night', '--user', 'bob'])).status).toBe(1);
  });

  test.each([
    [['--on', 'all'], 2, 'Give --mail or --webhook'],
    [['--on', 'all', '--mail', 'a@b.example', '--webhook', 'https://b.example'], 2, 'Give --mail or --webhook'],
    [['--on', 'weather', '--mail', 'a@b.example'], 2, 'The rule cannot be'],
    [['--on', 'all', '--mail', 'a@b.example', '--quiet', 'night'], 2, 'no range of hours'],
    [['--on', 'all', '--mail', 'alice'], 1, 'not an address of mail'],
    [['--on', 'all', '--mail', 'a@b.example', '--everybody'], 1, 'Only an administrator'],
    [['--on', 'all', '--mail', 'a@b.example', '--project', 'lab/none'], 1, 'project'],
  ])('refuses %j', async (options, status, message) => {
    const answer = await cli.run(['notify', 'add', 'x', '--user', 'bob', ...options]);
    expect(answer).toMatchObject({ status, stderr: expect.stringContaining(message) });
  });

  test('names a rule that is not there', async () => {
    expect(await cli.run(['notify', 'remove', 'nothing', '--user', 'bob'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('bob has no rule nothing'),
    });
  });
});
