import { userInfo } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Username } from '../contract/accounts.ts';
import { Session, SetupRequest } from '../contract/session.ts';
import { Problem } from '../contract/common.ts';
import type { App } from '../http/app.ts';
import { csrfToken } from '../http/csrf.ts';
import { HttpProblem, invalidRequest } from '../common/problem.ts';
import { requireLimit } from '../http/require-limit.ts';
import { readSessionCookie } from '../http/session-cookie.ts';
import { beginSession } from '../accounts/sessions/begin-session.ts';
import { createFirstUser } from '../accounts/users/create-user.ts';
import type { SetupCode } from './setup-code.ts';
import { shareOfLimit } from '../database/cluster/share-of-limit.ts';
import { userShape } from '../accounts/users/user-shape.ts';
import type { UserRow } from '../accounts/store/user-rows.ts';
import { Value } from 'typebox/value';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions' | 'signInFailures' | 'knownPlaces' | 'signInPlaces'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'cluster' | 'events' | 'passwords' | 'settings'> & {
    readonly csrfKey: Buffer;
    readonly setupCode: SetupCode;
  };

const maxSetupAttempts = 20;
const setupWindowMs = 5 * 60_000;

/** Routes for the session of the screens and for the first run. */
export function registerSessionRoutes(app: App, deps: Deps): void {
  const attempts = app.createRateLimit({
    max: () => shareOfLimit(maxSetupAttempts, deps.cluster),
    timeWindow: setupWindowMs,
    keyGenerator: (request) => `setup ${request.ip}`,
  });
  registerSessionState(app, deps);

  app.post(
    '/api/v4/setup',
    {
      // Checked before the body is read, so that unauthorized clients cannot make the service
      // buffer one.
      onRequest: async (request) => {
        if (!deps.auth.isWindow(request))
          await requireCode(deps, attempts, request, (request.query as { readonly code?: unknown }).code);
      },
      schema: {
        tags: ['accounts'],
        summary: 'First run: create the account that owns this installation',
        operationId: 'setUp',
        querystring: Type.Object({
          code: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'The code that "benchport serve" printed; not needed in the window',
            }),
          ),
        }),
        body: SetupRequest,
        response: { 201: Session, 403: Problem, 409: Problem, 429: Problem },
      },
    },
    async (request, reply) => {
      const window = deps.auth.isWindow(request);
      if (!window && request.body.password === undefined)
        throw invalidRequest('Choose a password: it is needed to sign in from a browser.');
      const { username, name, password } = request.body;
      const user = await createFirstUser(deps, {
        username,
        name,
        email: null,
        password: password ?? null,
        isAdmin: true,
      });
      const cookie = window
        ? undefined
        : await beginSession(deps, request, reply, user.id, { how: 'set up', secondFactor: false });
      return reply.code(201).send(await session(deps, request, user, cookie));
    },
  );
}

function registerSessionState(app: App, deps: Deps): void {
  app.get(
    '/api/v4/session',
    {
      onRequest: deps.auth.optional,
      schema: {
        tags: ['accounts'],
        summary: 'Who is asking, and how they may write',
        operationId: 'getSession',
        response: { 200: Session, 401: Problem },
      },
    },
    async (request) => {
      const user = request.principal && (await deps.users.byId(request.principal.userId));
      const cookie = request.principal?.kind === 'session' ? readSessionCookie(request, deps.baseUrl()) : undefined;
      return session(deps, request, user, cookie);
    },
  );
}

async function session(
  deps: Deps,
  request: FastifyRequest,
  user: UserRow | null,
  cookie: string | undefined,
): Promise<Session> {
  const window = deps.auth.isWindow(request);
  return {
    user: user && userShape(user, deps.baseUrl()),
    door: window ? 'window' : 'browser',
    needs_setup: await deps.users.isEmpty(),
    // The name of the system's user is shown only in the window.
    suggested_username: window ? suggestedUsername() : '',
    csrf_token: window || !user || cookie === undefined ? null : csrfToken(cookie, deps.csrfKey),
  };
}

async function requireCode(
  deps: Deps,
  attempts: ReturnType<App['createRateLimit']>,
  request: FastifyRequest,
  code: unknown,
): Promise<void> {
  if (Array.isArray(code)) throw invalidRequest('Send one code.');
  await requireLimit(request, [attempts]);
  if (!(await deps.users.isEmpty()))
    throw new HttpProblem(409, 'This installation is already set up. Sign in instead.', { type: 'already-set-up' });
  if (typeof code !== 'string' || !deps.setupCode.holds(code)) {
    throw new HttpProblem(
      403,
      'The setup code is missing or wrong. Open the address that "benchport serve" printed when it started.',
      {
        type: 'setup-code',
      },
    );
  }
}

/** The system's user name, or `owner` when it is not a valid user name here. */
function suggestedUsername(): string {
  try {
    const { username } = userInfo();
    return Value.Check(Username, username) ? username : 'owner';
  } catch {
    // The system has no name for this user id, as in some containers.
    return 'owner';
  }
}
