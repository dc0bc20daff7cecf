import type { FastifyReply } from 'fastify';
import type { IssuedToken } from './types.ts';

/** An issued token with the other members of the response. */
export interface TokenResponse {
  readonly token: IssuedToken;
  /**
   * Whether the response has `created_at`: not for the password grant without an application, as in
   * GitLab.
   */
  readonly createdAt: boolean;
  readonly idToken: string | null;
}

/** Sends a token response. The order of the members is part of the API. */
export function sendToken(reply: FastifyReply, { token, createdAt, idToken }: TokenResponse): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(
    JSON.stringify({
      access_token: token.accessToken,
      token_type: 'bearer',
      expires_in: token.expiresIn,
      ...(token.refreshToken === null ? {} : { refresh_token: token.refreshToken }),
      scope: token.scopes.join(' '),
      ...(createdAt ? { created_at: token.createdAt } : {}),
      ...(idToken === null ? {} : { id_token: idToken }),
    }),
  );
}
