import http from 'node:http';
import { Passport } from 'passport';
import { Strategy } from 'passport-gitlab2';

export interface WebApplication {
  readonly url: string;
  end(): Promise<void>;
}

export interface PassportOptions {
  readonly provider: string;
  readonly clientId: string;
  readonly secret: string;
  readonly scope: readonly string[];
  /** passport-gitlab2 separates scopes by commas by default. */
  readonly scopeSeparator?: string;
}

/**
 * A small web application that signs its visitors in with passport-gitlab2: `/` starts, `/callback`
 * shows the user. It listens before it knows its client id.
 */
export async function startPassportApplication(): Promise<
  WebApplication & { configure(options: PassportOptions): void }
> {
  const passport = new Passport();
  const initialize = passport.initialize();
  const authenticate = passport.authenticate('gitlab', { session: false });
  // One visitor at a time; a real application would use a cookie.
  const session: Record<string, unknown> = {};
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://application.example');
    Object.assign(request, { query: Object.fromEntries(url.searchParams), session });
    const fail = (error: unknown) => response.writeHead(500).end(String(error));
    const show = (error?: unknown) => {
      if (error !== undefined) fail(error);
      else
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify((request as typeof request & { readonly user?: object }).user));
    };
    if (url.pathname !== '/' && url.pathname !== '/callback') response.writeHead(404).end();
    else initialize(request, response, () => authenticate(request, response, show));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    configure: ({ provider, clientId, secret, scope, scopeSeparator }) => {
      const options = {
        clientID: clientId,
        clientSecret: secret,
        callbackURL: `${url}/callback`,
        baseURL: provider,
        scope,
        state: true,
        pkce: true,
      } as const;
      passport.use(
        new Strategy(
          { ...options, ...(scopeSeparator === undefined ? {} : { scopeSeparator }) },
          (accessToken, refreshToken, profile, done) =>
            done(null, {
              accessToken,
              refreshToken,
              username: profile.username,
              name: profile.displayName,
              email: profile.emails[0]?.value,
            }),
        ),
      );
    },
    end: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
