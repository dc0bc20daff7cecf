import {
  registerApplication,
  type NewApplicationInput,
  type RegisteredApplication,
} from '../../../src-main/service/oauth/applications/register-application.ts';
import { browserAt, hiddenFields, type Browser } from '../browser.ts';
import { openBeside } from '../fixture-measurement.ts';
import { addUser } from '../people.ts';
import { startTestService, type TestService } from '../start.ts';

export const callback = 'https://app.example/callback';
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
/** PKCE parameters of the authorization request. */
export const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
const password = 'a rather long word';

interface Audited {
  readonly action: string;
  readonly detail: string | null;
}

export interface Provider extends TestService {
  /**
   * Registers a confidential application of alice with api, read_api and read_user, unless changed.
   */
  register(wish?: Partial<NewApplicationInput>): Promise<RegisteredApplication>;
  /** A browser in which a user has signed in. */
  signedIn(username: string): Promise<Browser>;
  /** Audit events of one application, oldest first. */
  audited(applicationId: number): readonly Audited[];
  ids: Readonly<Record<'alice' | 'bob', number>>;
}

/** A service with the accounts alice and bob. */
export async function startProvider(): Promise<Provider> {
  const service = await startTestService();
  const add = async (username: string, isAdmin: boolean) =>
    (await addUser(service.services, username, { name: `${username} of the lab`, password, isAdmin })).id;
  const ids = { alice: await add('alice', true), bob: await add('bob', false) };
  return {
    ...service,
    ids,
    register: (wish = {}) =>
      registerApplication(
        service.services,
        {
          ownerId: ids.alice,
          name: 'Plotter',
          redirectUris: [callback],
          scopes: ['api', 'read_api', 'read_user'],
          confidential: true,
          trusted: false,
          legacyImplicit: false,
          deviceGrant: false,
          ...wish,
        },
        { userId: ids.alice, address: null },
      ),
    signedIn: async (username) => {
      const browser = browserAt(service);
      const answer = await browser.signIn(username, password);
      if (answer.status !== 303) throw new Error(`${username} was not signed in: ${answer.status}`);
      return browser;
    },
    audited: (applicationId) => {
      const beside = openBeside(service);
      try {
        return beside
          .prepare('SELECT action, detail FROM audit_events WHERE application_id = ? ORDER BY id')
          .all(applicationId) as Audited[];
      } finally {
        beside.close();
      }
    },
  };
}

/** URL of an authorization request; null omits a parameter, a list repeats it. */
export function authorizePath(parameters: Readonly<Record<string, string | null | readonly string[]>>): string {
  const query = new URLSearchParams();
  const all = { response_type: 'code', redirect_uri: callback, scope: 'read_user', state: 'xyz', ...parameters };
  for (const [name, value] of Object.entries(all)) for (const one of [value ?? []].flat()) query.append(name, one);
  return `/oauth/authorize?${query.toString()}`;
}

/**
 * Target and members of an authorization response, sent by redirect or by the page that follows a
 * sign-in.
 */
export function answerOf(response: Response): { readonly url: string; readonly members: Record<string, string> } {
  const location = response.headers.get('location') ?? response.headers.get('refresh')?.replace('0;url=', '') ?? '';
  const [url = '', answer = ''] = location.split(/[?#](.*)/s, 2);
  return { url, members: Object.fromEntries(new URLSearchParams(answer)) };
}

/** Presses a button of the consent page. */
export async function press(
  browser: Browser,
  page: string,
  decision: 'approve' | 'deny',
  changes: Record<string, string> = {},
): Promise<Response> {
  return browser.postForm('/oauth/authorize', { ...hiddenFields(page), decision, ...changes });
}

/**
 * Registers a public application with redirect URIs of a page, of the loopback and of a program.
 * @returns its client id.
 */
export async function registerPublic(provider: Provider): Promise<string> {
  const redirectUris = [callback, 'http://127.0.0.1', 'com.example.plotter:/cb'];
  return (await provider.register({ confidential: false, redirectUris })).application.clientId;
}

/** Sends an authorization request; @returns its error and target. */
export async function errorAt(browser: Browser, path: string) {
  const response = await browser.get(path);
  const { url, members } = answerOf(response);
  return { status: response.status, url, error: members['error'], members };
}
