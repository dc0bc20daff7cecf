import { describe, expect, test } from 'vitest';
import type { MailServer, NotificationRule } from '../../../src-renderer/api/requests/types.ts';
import {
  changedInput,
  draftOf,
  faultsOf,
  inputOf,
  isReady,
  newDraft,
  withChannel,
  withKind,
} from '../../../src-renderer/features/notifications/dialog/rule-draft.ts';
import * as mail from '../../../src-renderer/features/settings/mail/mail-server-draft.ts';
import {
  allKinds,
  clockWords,
  kindWords,
  kindsByGroup,
  quietWords,
  remedyOf,
  whenWords,
  wordsOfKinds,
} from '../../../src-renderer/words/notification-words.ts';

const alice = { isAdministrator: true, email: 'alice@lab.example' };
const bob = { isAdministrator: false, email: null };
const rule: NotificationRule = {
  id: 7,
  name: 'night',
  kinds: ['degraded'],
  everybody: false,
  project_id: null,
  channel: 'webhook',
  to: 'https://chat.lab.example/hooks/7',
  digest: 'none',
  quiet_from: 22,
  quiet_until: 7,
  paused: false,
  waiting: 2,
  last_sent_at: null,
  failure: null,
  created_at: '2026-11-27T08:00:00.000Z',
};

describe('words of notifications', () => {
  test('every kind is in a group and has words of its own', () => {
    expect(kindsByGroup.flatMap(([, kinds]) => kinds).toSorted()).toEqual(allKinds.toSorted());
    expect(new Set(allKinds.map((kind) => kindWords[kind].label)).size).toBe(allKinds.length);
    expect(wordsOfKinds(['error-new', 'run-registered'])).toBe('Registered, New error');
  });

  test('say when messages are sent, and by which clock', () => {
    expect(whenWords(rule)).toBe('At once, not from 22:00 to 7:00');
    expect(quietWords({ quiet_from: 3, quiet_until: 3 })).toBeNull();
    expect(quietWords({ quiet_from: 0, quiet_until: 6 })).toBe('0:00 to 6:00');
    const choices = { time_zone: 'America/St_Johns', utc_offset_minutes: -210 };
    expect(clockWords(choices, new Date('2026-11-27T01:05:00Z'))).toBe(
      'Local time of the service: America/St_Johns, now 21:35.',
    );
  });

  test('advise on a failure by channel and state', () => {
    expect(remedyOf({ channel: 'mail', paused: false }, false)).toContain('No mail server is set');
    expect(remedyOf({ channel: 'mail', paused: false }, true)).toContain('dialogue');
    expect(remedyOf({ channel: 'webhook', paused: true }, false)).toContain('resume');
  });
});

describe('a rule as it is edited', () => {
  test('begins with mail where mail can be sent to the user', () => {
    expect(newDraft(alice, true)).toMatchObject({ channel: 'mail', to: 'alice@lab.example' });
    expect(newDraft(alice, false)).toMatchObject({ channel: 'webhook', to: '' });
    expect(newDraft(bob, true)).toMatchObject({ channel: 'webhook', to: '' });
  });

  test('comes back as it was, and a change touches nothing else', () => {
    const { id: _id, waiting: _waiting, last_sent_at: _at, failure: _why, created_at: _created, ...input } = rule;
    expect(inputOf(draftOf(rule))).toEqual(input);
    expect(changedInput(rule, { paused: true })).toEqual({ ...input, paused: true });
    expect(inputOf({ ...draftOf(rule), isQuiet: false, name: ' night ' })).toEqual({
      ...input,
      quiet_from: null,
      quiet_until: null,
    });
  });

  test('an address of the other channel is not kept', () => {
    const draft = draftOf(rule);
    expect(withChannel(draft, 'webhook', alice)).toBe(draft);
    expect(withChannel(draft, 'mail', alice).to).toBe('alice@lab.example');
    expect(withChannel(draft, 'mail', bob).to).toBe('');
  });

  test.each([
    ['a name that begins with a hyphen', { name: '-x' }, 'name'],
    ['a name in use, in other letters', { name: 'Every RUN' }, 'name'],
    ['an address without a scheme', { to: 'chat.lab.example' }, 'to'],
    ['an address with another scheme', { to: 'ftp://chat.lab.example/' }, 'to'],
    ['an address with a password', { to: 'https://a:b@chat.lab.example/' }, 'to'],
    ['an address of mail without a host', { channel: 'mail', to: 'alice' }, 'to'],
    ['quiet hours that end where they begin', { isQuiet: true, quietFrom: 5, quietUntil: 5 }, 'quiet'],
  ] as const)('%s is a fault of its field', (_what, change, field) => {
    const faults = faultsOf({ ...draftOf(rule), ...change }, ['every run']);
    expect(Object.keys(faults)).toEqual([field]);
    expect(isReady({ ...draftOf(rule), ...change }, faults)).toBe(false);
  });

  test('is ready with a name, a kind and an address; empty fields are no faults', () => {
    expect(faultsOf(newDraft(bob, false), [])).toEqual({});
    expect(isReady(newDraft(bob, false), {})).toBe(false);
    const whole = draftOf(rule);
    expect(isReady(whole, faultsOf(whole, []))).toBe(true);
    expect(isReady(withKind(whole, 'degraded', false), {})).toBe(false);
    expect(withKind(whole, 'degraded', true).kinds).toEqual(['degraded']);
  });
});

describe('the server for mail as it is edited', () => {
  const server: NonNullable<MailServer> = {
    host: 'mail.lab.example',
    port: 587,
    security: 'starttls',
    username: 'bench',
    from: 'bench@lab.example',
    has_password: true,
  };
  const stored = mail.draftOf(server);

  test('keeps, replaces or removes the stored password', () => {
    expect(mail.inputOf(stored, server)).not.toHaveProperty('password');
    expect(mail.inputOf({ ...stored, passwordChange: 'replace', password: 'seven lamps' }, server)).toMatchObject({
      password: 'seven lamps',
    });
    expect(mail.inputOf({ ...stored, passwordChange: 'remove' }, server)).toMatchObject({ password: null });
  });

  test('a stored password is not kept for another server, port or user', () => {
    for (const change of [{ host: 'other.lab.example' }, { port: '465' }, { username: 'alice' }, { username: '' }]) {
      const draft = { ...stored, ...change };
      expect(mail.canKeepPassword(draft, server), JSON.stringify(change)).toBe(false);
      expect(mail.inputOf(draft, server), JSON.stringify(change)).toMatchObject({ password: null });
    }
    expect(mail.canKeepPassword({ ...stored, security: 'tls' }, server)).toBe(true);
  });

  test('a port follows the encryption until it is typed', () => {
    expect(mail.withSecurity(mail.draftOf(null), 'tls')).toMatchObject({ security: 'tls', port: '465' });
    expect(mail.withSecurity({ ...stored, port: '2525' }, 'none').port).toBe('2525');
  });

  test.each([
    ['host', 'https://mail.lab.example'],
    ['host', 'mail.lab.example:587'],
    ['host', 'mail lab'],
    ['port', '0'],
    ['port', '65536'],
    ['port', '25a'],
    ['from', 'bench'],
  ] as const)('%s %s is a fault of its field', (field, text) => {
    const draft = { ...stored, [field]: text };
    expect(Object.keys(mail.faultsOf(draft))).toEqual([field]);
    expect(mail.isReady(draft)).toBe(false);
  });

  test('addresses of both families are hosts, and a password needs a user name', () => {
    for (const host of ['192.168.1.20', 'fd12::7', 'mail-2.lab.example'])
      expect(mail.faultsOf({ ...stored, host }), host).toEqual({});
    expect(Object.keys(mail.faultsOf({ ...stored, username: '', password: 'x' }))).toEqual(['password']);
    expect(mail.isChanged(stored, server)).toBe(false);
    expect(mail.isReady(mail.draftOf(null))).toBe(false);
  });
});
