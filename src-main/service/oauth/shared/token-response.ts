import type { FastifyReply } from 'fastify';
import type { IssuedToken } from './types.ts';

/** A token with what goes out beside it. */
export interface TokenResponse {
  readonly token: IssuedToken;
  /** Left out for the password grant without an application, as the interface has it. */
  readonly createdAt: boolean;
  readonly idToken: string | null;
}

/** Answers with a token: the members and their order are the interface's, `expires_in` is the lifetime itself. */
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
