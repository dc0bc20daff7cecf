import { createHash, randomBytes, randomInt } from 'node:crypto';
import { visitor, type Visitor } from '../service/security/visitor.ts';
import { sendOnce } from './ask.ts';
import { callback, oneOf, passwords, pause, type World } from './world.ts';

const signInButton = /^sign in$/i;
const allowButton = /^allow$/i;

async function signIn(world: World, username: string, password: string): Promise<Visitor | null> {
  const browser = visitor(world.main.url, world.secrets);
  const page = await browser.press(await browser.get('/users/sign_in'), signInButton, { username, password });
  return page.url.pathname === '/users/sign_in' ? null : browser;
}

/**
 * Sign-ins with the wrong password, which are refused, and with the right one, within the limits.
 */
export async function signInAndOut(world: World): Promise<void> {
  await world.record.attempt('sign-in refused', async () => {
    const from = performance.now();
    const browser = visitor(world.main.url, world.secrets);
    const page = await browser.press(await browser.get('/users/sign_in'), signInButton, {
      username: 'bob',
      password: 'mauve Pangolin 40?',
    });
    world.record.expect({ status: page.status, body: Buffer.from(page.text) }, from, 401, 403, 422, 429);
  });
  await pause(4000, 9000);
}

/** One browser that stays signed in over every kill, and approves applications repeatedly. */
export function softwareSignsIn(): (world: World) => Promise<void> {
  let browser: Visitor | null = null;
  return async (world) => {
    await world.record.attempt('grant, refreshes and revocation of software', async () => {
      browser ??= await signIn(world, 'alice', passwords.alice);
      if (browser === null) throw new Error('alice was not signed in');
      await grant(world, browser);
    });
    await pause(500, 2000);
  };
}

async function grant(world: World, browser: Visitor): Promise<void> {
  const { application, record, secrets, main } = world;
  const verifier = secrets.note('a verifier', randomBytes(32).toString('base64url'));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.clientId,
    redirect_uri: callback,
    scope: 'read_user',
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const began = performance.now();
  let page = await browser.get(`/oauth/authorize?${query.toString()}`);
  if (page.url.pathname === '/users/sign_in') {
    record.promise('What was answered 2xx is on disk', false, 'a session was gone after a restart');
    return;
  }
  if (page.status === 200) page = await browser.press(page, allowButton);
  const code = page.url.searchParams.get('code');
  record.expect({ status: code === null ? page.status : 200, body: Buffer.from(page.text) }, began, 200);
  if (code === null) throw new Error(`no code came, but ${page.status} at ${page.url.pathname}`);
  const client = { client_id: application.clientId, client_secret: application.secret };
  const post = async (fields: Record<string, string>, path = '/oauth/token') =>
    sendOnce(main, path, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, ...client }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  let from = performance.now();
  let reply = await post({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier });
  record.expect(reply, from, 200);
  for (let time = randomInt(1, 4); time > 0; time -= 1) {
    const answer = JSON.parse(reply.body.toString()) as {
      readonly access_token: string;
      readonly refresh_token: string;
    };
    secrets.note('an access token', answer.access_token);
    secrets.note('a refresh token', answer.refresh_token);
    from = performance.now();
    const user = await sendOnce(main, '/api/v4/user', { headers: { authorization: `Bearer ${answer.access_token}` } });
    record.expect(user, from, 200);
    reply = await post({ grant_type: 'refresh_token', refresh_token: answer.refresh_token });
    record.expect(reply, from, 200);
  }
  const { access_token: last } = JSON.parse(reply.body.toString()) as { readonly access_token: string };
  from = performance.now();
  record.expect(await post({ token: last }, '/oauth/revoke'), from, 200);
  world.revoked.push(secrets.note('an access token', last));
  const after = await sendOnce(main, '/api/v4/user', { headers: { authorization: `Bearer ${last}` } });
  record.promise(
    'A revoked token stops working at once, running transfers included',
    after.status === 401,
    `a revoked token was answered with ${after.status}`,
  );
}

interface Bad {
  readonly method?: string;
  readonly path: (world: World) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly window?: boolean;
  readonly nobody?: boolean;
  readonly status: number;
}

const badInput: readonly Bad[] = [
  { path: () => '/measurements/not-there', status: 404 },
  { path: ({ largest }) => `/measurements/${largest.id}/files/99999`, status: 404 },
  { path: ({ largest }) => `/measurements/${largest.id}/files/-1`, status: 404 },
  { path: () => '/measurements/..%2f..%2fetc%2fpasswd/files', status: 404 },
  {
    path: ({ largest }) => `/measurements/${largest.id}/files/0`,
    headers: { range: 'bytes=999999999999-' },
    status: 416,
  },
  { path: ({ largest }) => `/measurements/${largest.id}/files/0`, method: 'PUT', status: 405 },
  { path: ({ largest }) => `/measurements/${largest.id}`, nobody: true, status: 401 },
  {
    path: ({ largest }) => `/measurements/${largest.id}`,
    nobody: true,
    headers: { authorization: 'Bearer none' },
    status: 401,
  },
  { path: () => '/measurements/x', headers: { host: 'evil.example' }, status: 421 },
  { path: () => '/api/v4/local/registrations', method: 'POST', body: '{"path":"/tmp"}', status: 404 },
  { path: () => '/api/v4/local/registrations', method: 'POST', window: true, body: '{"path":', status: 400 },
  {
    path: () => '/api/v4/local/registrations',
    method: 'POST',
    window: true,
    body: '{"path":"/nowhere/at/all"}',
    status: 422,
  },
  {
    path: ({ project }) => `/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=${project.key}`,
    method: 'POST',
    body: '{',
    status: 400,
  },
  {
    path: ({ project }) => `/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=none`,
    method: 'POST',
    body: '{}',
    status: 404,
  },
  { path: () => '/oauth/token', method: 'POST', body: '{"grant_type":"none"}', status: 400 },
  { path: () => '/%zz', status: 400 },
];

/** Invalid inputs, each answered with its own reason. */
export async function sendNonsense(world: World): Promise<void> {
  const bad = oneOf(badInput);
  const from = performance.now();
  const path = bad.path(world);
  await world.record.attempt('bad input', async () => {
    const headers = { ...(bad.nobody || bad.window ? {} : { authorization: `Bearer ${world.token}` }), ...bad.headers };
    const reply = await sendOnce(world.main, path, {
      method: bad.method ?? 'GET',
      headers,
      ...(bad.body === undefined ? {} : { body: bad.body }),
      window: bad.window ?? false,
    });
    // Events are refused with a status that SDKs obey.
    if ([429, 503, 507].includes(reply.status) && world.record.wasFull(from)) return;
    const isClear = /"(?:detail|error_description|message|error)":"[^"]{8,}/.test(reply.body.toString());
    world.record.promise(
      'Bad input gets a clear, specific error',
      reply.status === bad.status && isClear,
      `${bad.method ?? 'GET'} ${path} was answered with ${reply.status}: ${reply.body.toString().slice(0, 200)}`,
    );
  });
  await pause(100, 500);
}
