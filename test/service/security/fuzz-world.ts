import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { OwnErrors } from '../../../src-main/service/own-errors/own-errors.ts';
import type { CommandLine, ServeProcess } from '../../cli/command-line.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { createLogger } from '../../../src-main/service/logging/logging.ts';
import { registerApplication } from '../../../src-main/service/oauth/applications/register-application.ts';
import { createServices } from '../../../src-main/service/services.ts';
import { createToken } from '../../../src-main/service/tokens/create-token.ts';
import { atTheMachine } from '../../../src-main/service/http/principal.ts';
import { addUser } from '../people.ts';

/** Values that are meaningful to the service, by the name of their parameter. */
export type Pool = Map<string, unknown[]>;

export interface World {
  readonly service: ServeProcess;
  readonly pool: Pool;
  /** Restores what the requests have removed: accounts, applications, tokens, sessions. */
  restore(): Promise<void>;
  end(): void;
}

const callback = 'https://app.example/callback';
const password = 'a long password';

/** A service in a separate process, with accounts, applications and credentials. */
export async function fuzzWorld(cli: CommandLine): Promise<World> {
  const database = openDatabase(cli.dataDir);
  const config = {
    dataDir: cli.dataDir,
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    window: null,
    rendererDir: cli.dir,
    assetsDir: cli.dir,
    version: '0',
  };
  const services = await createServices(
    { ...config, logLevel: 'silent' },
    storeContext(database),
    createLogger('silent'),
    new OwnErrors(),
  );
  const pool: Pool = new Map();
  const add = (name: string, ...values: readonly unknown[]) =>
    pool.set(name, [...(pool.get(name) ?? []), ...values].slice(-20));

  add('redirect_uri', callback, 'http://127.0.0.1:7777/');
  add('username', 'steward', 'alice');
  add('password', password, password, 'wrong password');
  add('current_password', password);
  add('new_password', password, 'another long password');
  add('admin', true, false);
  add('confidential', true, false);
  add('device_grant', true);
  add('trusted', false);
  add('revoke_tokens', false);
  add('password_grant', true);
  add('development_redirects', false);
  add('redirect_uris', [callback], ['http://127.0.0.1/']);
  add('scopes', ['api'], ['read_user', 'read_api'], 'read_user');
  add('expires_at', '2027-01-01', null);
  add('email', null, 'someone@bench.example');
  add('name', 'Fuzz', 'Other');
  add('state', 'active', 'x', 'inactive');
  add('return_to', '/ui/', '/oauth/device');
  add('token_type_hint', 'access_token', 'refresh_token');
  add('page', 1);
  add('per_page', 20, 3);
  add('from', '2026-01-01');
  add('applicationId in the path', 1, 2, 'none');
  add('nonce', 'n-0S6');
  add('user', 'alice', 'steward');
  add('action', 'token.create');
  add('to', '2099-01-01');
  add('user_id', '1', 'alice');
  add('search', 'fuzz', '');
  add('revoked', 'true', 'false');
  add('sort', 'created_desc', 'name_asc');
  for (const edge of ['created', 'expires', 'last_used']) {
    add(`${edge}_after`, '2020-01-01');
    add(`${edge}_before`, '2099-01-01');
  }
  add('min_access_level', 20);
  add('grant_type', 'authorization_code', 'refresh_token', 'password', 'urn:ietf:params:oauth:grant-type:device_code');
  add('response_type', 'code', 'token');
  add('response_mode', 'query', 'fragment', 'form_post');
  add('prompt', 'none', 'login', 'consent');
  add('decision', 'approve', 'deny');
  add('scope', 'api', 'read_user', 'openid profile email', 'read_user read_api');
  add('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  add('code_verifier', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
  add('code_challenge_method', 'S256', 'plain');

  const hash = await services.passwords.hash(password);

  async function restore(): Promise<void> {
    database.prepare('DELETE FROM totp_keys').run();
    for (const [username, isAdmin] of [
      ['steward', true],
      ['alice', false],
    ] as const) {
      let user = await services.users.byUsername(username);
      user ??= await addUser(services, username, { password, isAdmin });
      const back = `UPDATE users SET state = 'active', is_admin = ?, password_hash = ? WHERE id = ?`;
      database.prepare(back).run(Number(isAdmin), hash, user.id);
      await services.signInFailures.clear(user.id);
      const wish = { userId: user.id, name: 'fuzz', description: '', scopes: ['api', 'self_rotate'], expiresAt: null };
      add('access_token', (await createToken(services, wish, atTheMachine)).token);
      add('cookie', await services.sessions.begin(user.id, '127.0.0.1', 'fuzz'));
      if ((await services.applications.ofUser(user.id)).length >= 3) continue;
      for (const confidential of [true, false]) {
        const fields = {
          ownerId: user.id,
          name: 'Fuzz',
          redirectUris: [callback, 'http://127.0.0.1/'],
          scopes: ['api', 'read_user', 'read_api', 'openid', 'profile', 'email'],
        };
        const flags = { confidential, trusted: false, legacyImplicit: confidential, deviceGrant: true };
        const { application, secret } = await registerApplication(services, { ...fields, ...flags }, atTheMachine);
        add('client_id', application.clientId);
        // Paired with its client_id; empty for a public one.
        add('client_secret', secret ?? '');
      }
    }
    services.changes.bump();
  }

  await restore();
  return { service: await cli.serve([], { BENCHPORT_LOG: 'error' }), pool, restore, end: () => database.close() };
}
