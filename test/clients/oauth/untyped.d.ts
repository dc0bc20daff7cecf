// Minimal declarations for untyped packages.
declare module 'simple-oauth2' {
  interface Token {
    readonly token: Readonly<Record<string, unknown>>;
    refresh(params?: { readonly scope?: string }): Promise<Token>;
    revokeAll(): Promise<void>;
  }
  interface Options {
    readonly client: { readonly id: string; readonly secret: string };
    readonly auth: { readonly tokenHost: string };
  }
  export class AuthorizationCode {
    constructor(options: Options);
    authorizeURL(params: { readonly redirect_uri: string; readonly scope: string; readonly state: string }): string;
    getToken(params: { readonly code: string; readonly redirect_uri: string }): Promise<Token>;
  }
  export class ResourceOwnerPassword {
    constructor(options: Options);
    getToken(params: { readonly username: string; readonly password: string; readonly scope: string }): Promise<Token>;
  }
}

declare module 'passport' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  export class Passport {
    use(strategy: object): this;
    initialize(): Middleware;
    authenticate(name: string, options: { readonly session: false }): Middleware;
  }
}

declare module 'passport-gitlab2' {
  interface Profile {
    readonly username: string;
    readonly displayName: string;
    readonly emails: readonly { readonly value: string }[];
  }
  export class Strategy {
    readonly name: string;
    constructor(
      options: {
        readonly clientID: string;
        readonly clientSecret: string;
        readonly callbackURL: string;
        readonly baseURL: string;
        readonly scope: readonly string[];
        readonly scopeSeparator?: string;
        readonly state: true;
        readonly pkce: true;
      },
      verify: (
        accessToken: string,
        refreshToken: string,
        profile: Profile,
        done: (error: unknown, user: object) => void,
      ) => void,
    );
  }
}
