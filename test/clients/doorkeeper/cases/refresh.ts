import {
  inForm,
  inHeader,
  info,
  newCode,
  newTokens,
  exchange,
  refreshWith,
  tokensOf,
  verifier,
  challenge,
  type Case,
} from '../side.ts';

/** The token endpoint with refresh tokens. */
export const refreshCases: readonly Case[] = [
  { id: 'R01', what: 'refresh', run: async (side) => refreshWith(side, 'web', (await newTokens(side, 'web')).refresh) },
  {
    id: 'R02',
    what: 'the old access token after a refresh',
    run: async (side) => {
      const old = await newTokens(side, 'web');
      await refreshWith(side, 'web', old.refresh);
      return info(side, old.access);
    },
  },
  {
    id: 'R03',
    what: 'the old access token after the new one was used',
    run: async (side) => {
      const old = await newTokens(side, 'web');
      const { access } = tokensOf(side, await refreshWith(side, 'web', old.refresh));
      await side.send({ path: '/api/v4/user', bearer: access });
      return info(side, old.access);
    },
  },
  {
    id: 'R04',
    what: 'the old refresh token again before the new tokens were used',
    run: async (side) => {
      const old = await newTokens(side, 'web');
      await refreshWith(side, 'web', old.refresh);
      return refreshWith(side, 'web', old.refresh);
    },
  },
  {
    id: 'R05',
    what: 'the old refresh token after the new access token was used',
    run: async (side) => {
      const old = await newTokens(side, 'web');
      const { access } = tokensOf(side, await refreshWith(side, 'web', old.refresh));
      await side.send({ path: '/api/v4/user', bearer: access });
      return refreshWith(side, 'web', old.refresh);
    },
  },
  {
    id: 'R06',
    what: 'the new access token after the old refresh token was used once more',
    run: async (side) => {
      const old = await newTokens(side, 'web');
      const { access } = tokensOf(side, await refreshWith(side, 'web', old.refresh));
      await side.send({ path: '/api/v4/user', bearer: access });
      await refreshWith(side, 'web', old.refresh);
      return info(side, access);
    },
  },
  {
    id: 'R07',
    what: 'narrower scope',
    run: async (side) =>
      refreshWith(side, 'web', (await newTokens(side, 'web', 'api read_user')).refresh, { scope: 'read_user' }),
  },
  {
    id: 'R08',
    what: 'wider scope',
    run: async (side) => refreshWith(side, 'web', (await newTokens(side, 'web')).refresh, { scope: 'api read_user' }),
  },
  { id: 'R09', what: 'unknown refresh token', run: (side) => refreshWith(side, 'web', '0'.repeat(64)) },
  {
    id: 'R10',
    what: 'no refresh token',
    run: (side) => side.send({ path: '/oauth/token', form: { grant_type: 'refresh_token', ...inForm(side, 'web') } }),
  },
  {
    id: 'R11',
    what: 'the refresh token of another client',
    run: async (side) => refreshWith(side, 'other', (await newTokens(side, 'web')).refresh),
  },
  {
    id: 'R12',
    what: 'its own client after another one tried',
    run: async (side) => {
      const tokens = await newTokens(side, 'web');
      await refreshWith(side, 'other', tokens.refresh);
      return refreshWith(side, 'web', tokens.refresh);
    },
  },
  {
    id: 'R13',
    what: 'with a redirect_uri, as GitLab writes it',
    run: async (side) =>
      refreshWith(side, 'web', (await newTokens(side, 'web')).refresh, { redirect_uri: side.clients.web.redirectUri }),
  },
  {
    id: 'R14',
    what: 'public client',
    run: async (side) => {
      const code = await newCode(side, 'program', challenge);
      const tokens = tokensOf(
        side,
        await side.send({ path: '/oauth/token', form: exchange(side, 'program', code, { code_verifier: verifier }) }),
      );
      return refreshWith(side, 'program', tokens.refresh);
    },
  },
  {
    id: 'R15',
    what: 'after revocation',
    run: async (side) => {
      const tokens = await newTokens(side, 'web');
      await side.send({ path: '/oauth/revoke', form: { token: tokens.refresh, ...inForm(side, 'web') } });
      return refreshWith(side, 'web', tokens.refresh);
    },
  },
  {
    id: 'R16',
    what: 'an access token as refresh token',
    run: async (side) => refreshWith(side, 'web', (await newTokens(side, 'web')).access),
  },
  {
    id: 'R17',
    what: 'without a client',
    run: async (side) =>
      side.send({
        path: '/oauth/token',
        form: { grant_type: 'refresh_token', refresh_token: (await newTokens(side, 'web')).refresh },
      }),
  },
  {
    id: 'R18',
    what: 'wrong secret',
    run: async (side) => refreshWith(side, 'web', (await newTokens(side, 'web')).refresh, { client_secret: 'wrong' }),
  },
  {
    id: 'R19',
    what: 'client by Basic',
    run: async (side) => {
      const form = { grant_type: 'refresh_token', refresh_token: (await newTokens(side, 'web')).refresh };
      return side.send({ path: '/oauth/token', form, basic: inHeader(side, 'web') });
    },
  },
  {
    id: 'R20',
    what: 'empty scope',
    run: async (side) => refreshWith(side, 'web', (await newTokens(side, 'web')).refresh, { scope: '' }),
  },
];
