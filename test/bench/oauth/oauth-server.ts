import type { Server } from '../servers/server.ts';

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** One of the providers that are measured side by side, with its endpoints. */
export interface OAuthServer {
  readonly server: Server;
  readonly clientId: string;
  readonly secret: string;
  /** The endpoint that issues tokens. */
  readonly tokenPath: string;
  readonly introspectionPath: string;
  /** Unused tokens. */
  newTokens(count: number): Promise<readonly Tokens[]>;
}
