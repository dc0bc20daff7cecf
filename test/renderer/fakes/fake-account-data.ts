import type { AuditEvent, ManagedUser, SignedInSession } from '../../../src-main/service/contract/account-security.ts';
import { alice } from './fake-data.ts';

export const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
export const recoveryCodes = [
  'k3f9q-7mzt2',
  'p8d4x-2hwrc',
  'v6n1j-9bkse',
  't5y7g-4qpua',
  'z2c8m-6fxdh',
  'w9r3l-1jvtn',
  'q4s6b-8ygke',
  'h7m2p-5zcxf',
  'd1t9w-3ranj',
  'x8k5v-7ulqb',
];

export const gib = 1024 ** 3;
export const used = { used_bytes: 41.5 * gib, unfinished_bytes: 3.2 * gib, removed_bytes: 6.1 * gib };

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1';

export function someSessions(): SignedInSession[] {
  const session = (id: number, current: boolean, address: string, agent: string | null): SignedInSession => ({
    id,
    current,
    address,
    user_agent: agent,
    created_at: ago(id * 700),
    last_used_at: ago(id * 3),
    expires_at: ago(-20_000),
  });
  return [
    session(1, true, '127.0.0.1', firefox),
    session(2, false, '192.168.4.31', phone),
    session(3, false, 'fd12:3456:789a:1::21', null),
  ];
}

export function someUsers(count: number): ManagedUser[] {
  const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi'];
  return Array.from({ length: count }, (_, index) => {
    const username = index < names.length ? (names[index] ?? '') : `user-${String(index + 1).padStart(3, '0')}`;
    return {
      ...alice,
      id: index + 1,
      username,
      name:
        index === 3
          ? 'Dave of the Quantum Memory Readout and Low-Temperature Group'
          : username.charAt(0).toUpperCase() + username.slice(1),
      email: index % 3 === 1 ? null : `${username}@lab.example`,
      is_admin: index === 0 || index === 4,
      state: index === 2 ? 'blocked' : 'active',
      has_password: index !== 5,
      two_factor_enabled: index % 2 === 1,
      locked_until: index === 6 ? ago(-7) : null,
      locked_where: index === 6 ? 'one-place' : null,
      last_sign_in_at: index === 5 ? null : ago(index * 300),
      owner: index === 0,
      created_at: ago(100_000 - index * 900),
    };
  });
}

const happened: readonly (readonly [string, string, string | null])[] = [
  ['user.sign-in', 'user:1', null],
  ['token.create', 'token:12', 'ms-reader (read_measurement)'],
  ['user.sign-in-failed', 'user:2', 'wrong password'],
  ['oauth.approve', 'grant:9', 'read_api'],
  ['application.create', 'application:3', 'Beam line dashboard'],
  ['oauth.refresh-reuse', 'grant:9', 'The refresh token was used after it was replaced; the family was revoked'],
  ['user.block', 'user:3', null],
  ['measurement.degraded', 'measurement:qmr-2026-114', '2 files altered'],
];

export function someEvents(count: number): AuditEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const [action = '', subject = '', detail = null] = happened[index % happened.length] ?? [];
    return {
      id: count - index,
      at: ago(index * 47),
      user: action === 'user.sign-in-failed' ? null : index % 3 === 0 ? 'bob' : 'alice',
      application: action.startsWith('oauth.') ? 'Beam line dashboard' : null,
      action,
      subject,
      subject_now: subject === 'user:2' ? { name: 'bob', owner: null, active: true } : null,
      detail,
      address: index % 8 === 7 ? null : `192.168.4.${(index % 40) + 2}`,
    };
  });
}
