import type {
  AuthorizedApplication,
  NewApplication,
  OAuthApplication,
} from '../../../src-main/service/contract/applications.ts';
import type { FakeAnswer } from './fake-answer.ts';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const hex = (digit: string): string => `7d${digit}`.repeat(22).slice(0, 64);
const bob = { id: 2, username: 'bob', name: 'Bob' };
const alice = { id: 1, username: 'alice', name: 'Alice' };

function someApplications(): OAuthApplication[] {
  const application = (id: number, name: string, more: Partial<OAuthApplication>): OAuthApplication => ({
    id,
    client_id: hex(String(id)),
    name,
    redirect_uris: ['https://notebook.lab.example/oauth/callback'],
    scopes: ['read_measurement'],
    confidential: true,
    device_grant: false,
    trusted: false,
    legacy_implicit: false,
    owner: alice,
    created_at: ago(id * 4000),
    authorizations: id * 3,
    ...more,
  });
  return [
    application(1, 'Electronic lab notebook', {
      redirect_uris: [
        'https://notebook.lab.example/oauth/callback',
        'https://notebook-test.lab.example/oauth/callback',
        'http://127.0.0.1:8080/callback',
      ],
      scopes: ['read_measurement', 'openid', 'profile', 'email'],
    }),
    application(2, 'Beamline viewer', {
      confidential: false,
      redirect_uris: ['http://127.0.0.1'],
      scopes: ['read_api'],
    }),
    application(3, 'Spectrometer panel', {
      confidential: false,
      device_grant: true,
      redirect_uris: [],
      authorizations: 0,
    }),
    application(5, 'Sample database', { owner: bob }),
    application(4, 'Group website', {
      trusted: true,
      legacy_implicit: true,
      redirect_uris: ['https://group.example/sign-in'],
      scopes: ['read_user', 'openid'],
    }),
  ];
}

function someAuthorized(): AuthorizedApplication[] {
  const [notebook, viewer] = someApplications();
  const of = ({ id, name, confidential, owner }: OAuthApplication) => ({ id, name, confidential, owner });
  return [
    ...(notebook === undefined
      ? []
      : [{ application: of(notebook), scopes: notebook.scopes, authorized_at: ago(30_000), last_used_at: ago(12) }]),
    ...(viewer === undefined
      ? []
      : [{ application: of(viewer), scopes: ['read_api'], authorized_at: ago(90), last_used_at: null }]),
    { application: null, scopes: ['api'], authorized_at: ago(300), last_used_at: ago(200) },
  ];
}

/** Applications and authorizations in memory, for the fake service. */
export function fakeApplications(
  full: boolean,
): (method: string, route: readonly string[], body: unknown, all: boolean) => FakeAnswer | null {
  let applications = full ? someApplications() : [];
  let authorized = full ? someAuthorized() : [];

  return (method, [kind, id = '', verb = ''], body, all) => {
    if (kind === 'authorized_applications') {
      if (method === 'GET') return { status: 200, body: authorized };
      authorized = authorized.filter((one) => String(one.application?.id ?? 'none') !== id);
      return { status: 204 };
    }
    if (kind !== 'applications') return null;
    switch (`${method} ${verb}`) {
      case 'GET ':
        return { status: 200, body: applications.filter((one) => all || one.owner.id === alice.id) };
      case 'POST ': {
        const wish = body as NewApplication;
        const application: OAuthApplication = {
          ...wish,
          id: 90 + applications.length,
          client_id: hex('e'),
          device_grant: wish.device_grant ?? false,
          trusted: wish.trusted ?? false,
          legacy_implicit: false,
          owner: alice,
          created_at: new Date().toISOString(),
          authorizations: 0,
        };
        applications = [application, ...applications];
        return { status: 201, body: { ...application, client_secret: wish.confidential ? `bpas-${hex('5')}` : null } };
      }
      case 'PATCH ':
        applications = applications.map((one) =>
          String(one.id) === id ? { ...one, ...(body as Partial<OAuthApplication>) } : one,
        );
        return { status: 200, body: applications.find((one) => String(one.id) === id) };
      case 'DELETE ':
        applications = applications.filter((one) => String(one.id) !== id);
        return { status: 204 };
      case 'POST renew_secret':
        return { status: 200, body: { secret: `bpas-${hex('a')}` } };
      default:
        return null;
    }
  };
}
