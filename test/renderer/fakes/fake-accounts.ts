import type { Account, ManagedUser } from '../../../src-main/service/contract/account-security.ts';
import type { SignInSettings } from '../../../src-main/service/contract/applications.ts';
import { alice } from './fake-data.ts';
import type { FakeAnswer } from './fake-answer.ts';
import { ago, gib, recoveryCodes, someEvents, someSessions, someUsers, used } from './fake-account-data.ts';

/** The initial state of the account. */
export interface FakeAccountOptions {
  readonly admin?: boolean;
  readonly hasPassword?: boolean;
  readonly totp?: boolean;
  readonly recoveryCodesLeft?: number;
  readonly webauthnUnavailable?: string | null;
  readonly users?: number;
  readonly events?: number;
}

const pageOf = (list: readonly unknown[], query: URLSearchParams): FakeAnswer => {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
  return { status: 200, body: list.slice((page - 1) * size, page * size), headers: { 'x-total': String(list.length) } };
};

/** Accounts, sign-ins and the audit trail, in memory. */
export function fakeAccounts(options: FakeAccountOptions) {
  let account: Account = {
    user: { ...alice, is_admin: options.admin ?? true },
    has_password: options.hasPassword ?? true,
    totp: options.totp ?? false,
    recovery_codes_left: options.recoveryCodesLeft ?? (options.totp === true ? 10 : 0),
    webauthn_keys:
      options.totp === true ? [{ id: 1, name: 'blue key', created_at: ago(9000), last_used_at: ago(50) }] : [],
    webauthn_unavailable: options.webauthnUnavailable ?? null,
    confirmed_until: null,
  };
  let sessions = someSessions();
  let users = someUsers(options.users ?? 8);
  const events = someEvents(options.events ?? 120);
  let allowed: readonly string[] = ['sentry.lab:9000', '10.1.0.0/16'];
  const limits = new Map<string, number | null>([['2', 40 * gib]]);
  let settings: SignInSettings = { password_grant: true, development_redirects: false };

  /** The response to a request about accounts; null for any other. */
  return function answer(
    method: string,
    route: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): FakeAnswer | null {
    const [first = '', second = '', third = '', ...rest] = route.split('/');
    const change = (id: string, by: Partial<ManagedUser>): FakeAnswer => {
      users = users.map((user) => (user.id === Number(id) ? { ...user, ...by } : user));
      return { status: 200, body: users.find((user) => user.id === Number(id)) };
    };
    switch (`${method} ${first}/${second}`) {
      case 'GET user/account':
        return { status: 200, body: account };
      case 'PUT user/password':
        account = { ...account, has_password: true };
        return { status: 204 };
      case 'POST user/totp':
        if (third === 'confirm') {
          if (body['code'] !== '123456') {
            const detail = 'The code is not right. Codes change every 30 seconds; check the clock of the phone.';
            return {
              status: 422,
              body: { type: 'about:blank', title: 'Wrong code', status: 422, detail, request_id: 'req-7f3a91c2' },
            };
          }
          account = { ...account, totp: true, recovery_codes_left: 10 };
          return { status: 200, body: { recovery_codes: recoveryCodes } };
        }
        return {
          status: 201,
          body: {
            secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            uri: 'otpauth://totp/Benchport:alice?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Benchport&algorithm=SHA1&digits=6&period=30',
          },
        };
      case 'DELETE user/totp':
        account = { ...account, totp: false, recovery_codes_left: 0 };
        return { status: 204 };
      case 'POST user/recovery_codes':
        account = { ...account, recovery_codes_left: 10 };
        return { status: 200, body: { recovery_codes: recoveryCodes } };
      case 'DELETE user/webauthn':
        account = { ...account, webauthn_keys: account.webauthn_keys.filter((key) => key.id !== Number(third)) };
        return { status: 204 };
      case 'GET user/sessions':
        return { status: 200, body: sessions };
      case 'DELETE user/sessions':
        sessions = sessions.filter((session) => session.current || (third !== '' && session.id !== Number(third)));
        return { status: 204 };
      case 'GET user/quota':
        return { status: 200, body: { quota_bytes: 50 * gib, ...used } };
      case 'GET users/managed': {
        const search = (query.get('search') ?? '').toLowerCase();
        const state = query.get('state');
        return pageOf(
          users.filter(
            (user) =>
              `${user.username} ${user.name}`.toLowerCase().includes(search) &&
              (state === null || user.state === state),
          ),
          query,
        );
      }
      case 'POST users/': {
        if (users.some((user) => user.username === body['username'])) {
          const detail = `There is a user "${String(body['username'])}" already.`;
          return {
            status: 409,
            body: { type: 'about:blank', title: 'User name in use', status: 409, detail, request_id: 'req-7f3a91c2' },
          };
        }
        const [template] = someUsers(1);
        if (template === undefined) return null;
        const made = {
          ...template,
          ...body,
          id: users.length + 1,
          owner: false,
          last_sign_in_at: null,
          created_at: ago(0),
        } as ManagedUser;
        users = [...users, made];
        return { status: 201, body: made };
      }
      case 'GET audit_events/': {
        const [user, action] = [query.get('user'), query.get('action')];
        return pageOf(
          events.filter(
            (event) =>
              (user === null || event.user === user) &&
              (action === null || event.action === action || (action.endsWith('.') && event.action.startsWith(action))),
          ),
          query,
        );
      }
      case 'GET audit_events/retention':
        return {
          status: 200,
          body: { transfer_days: 400, transfer_rows: 10_000_000, audit_days: 3650, audit_rows: 10_000_000 },
        };
      case 'GET application/own_errors':
        return { status: 200, body: { on: false, project: null } };
      case 'GET application/outgoing':
        return { status: 200, body: { allowed } };
      case 'PUT application/outgoing':
        allowed = body['allowed'] as readonly string[];
        return { status: 200, body: { allowed } };
      case 'GET application/settings':
        return { status: 200, body: settings };
      case 'PUT application/settings':
        settings = { ...settings, ...body };
        return { status: 200, body: settings };
      default:
        if (first !== 'users' || second === '' || rest.length > 0) return null;
        if (third === 'quota') {
          if (method === 'PUT') limits.set(second, body['quota_bytes'] as number | null);
          return { status: 200, body: { quota_bytes: limits.get(second) ?? null, ...used } };
        }
        if (method === 'DELETE') {
          if (second === '2') {
            const detail =
              'bob owns the measurements ms-run-0091 and qmr-2026-114. Remove them first, or block the account instead.';
            return {
              status: 409,
              body: {
                type: 'about:blank',
                title: 'Owns measurements',
                status: 409,
                detail,
                request_id: 'req-7f3a91c2',
              },
            };
          }
          users = users.filter((user) => user.id !== Number(second));
          return { status: 204 };
        }
        if (method === 'PUT') return change(second, body);
        if (third === 'block') return change(second, { state: 'blocked' });
        if (third === 'unblock') return change(second, { state: 'active' });
        if (third === 'unlock') return change(second, { locked_until: null });
        return third === 'disable_two_factor' ? change(second, { two_factor_enabled: false }) : null;
    }
  };
}
