import { challenge, exchange, inForm, inHeader, info, newCode, tokensOf, verifier, type Case } from '../side.ts';
import { post, without } from './token-post.ts';

// BASE64URL(SHA-256(short))
const shortChallenge = 'g2oSEPI1EU6LjsInkxYYLtbrBLiLVk3Zh6PKo_sCw3s';
const short = 'only-forty-two-characters-long-0123456789a';

/** The token endpoint with codes. */
export const tokenCases: readonly Case[] = [
  {
    id: 'T01',
    what: 'code, client in the form',
    run: async (side) => post(side, exchange(side, 'web', await newCode(side, 'web'))),
  },
  {
    id: 'T02',
    what: 'code, client by Basic',
    run: async (side) =>
      post(side, without(exchange(side, 'web', await newCode(side, 'web')), 'client_id', 'client_secret'), {
        basic: inHeader(side, 'web'),
      }),
  },
  {
    id: 'T03',
    what: 'no grant_type',
    run: async (side) => post(side, without(exchange(side, 'web', await newCode(side, 'web')), 'grant_type')),
  },
  {
    id: 'T04',
    what: 'unknown grant_type',
    run: (side) => post(side, { grant_type: 'urn:example:grant', ...inForm(side, 'web') }),
  },
  {
    id: 'T05',
    what: 'unknown client',
    run: async (side) => post(side, exchange(side, 'web', await newCode(side, 'web'), { client_id: 'f'.repeat(64) })),
  },
  {
    id: 'T06',
    what: 'wrong secret in the form',
    run: async (side) => post(side, exchange(side, 'web', await newCode(side, 'web'), { client_secret: 'wrong' })),
  },
  {
    id: 'T07',
    what: 'wrong secret by Basic',
    run: (side) =>
      post(
        side,
        { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://app.example.com/callback' },
        { basic: [side.clients.web.clientId, 'wrong'] },
      ),
  },
  {
    id: 'T08',
    what: 'no client',
    run: (side) => post(side, without(exchange(side, 'web', 'c'), 'client_id', 'client_secret')),
  },
  {
    id: 'T09',
    what: 'confidential client without its secret',
    run: async (side) => post(side, without(exchange(side, 'web', await newCode(side, 'web')), 'client_secret')),
  },
  {
    id: 'T10',
    what: 'confidential client with a verifier instead of its secret',
    run: async (side) =>
      post(
        side,
        without(
          exchange(side, 'web', await newCode(side, 'web', challenge), { code_verifier: verifier }),
          'client_secret',
        ),
      ),
  },
  { id: 'T11', what: 'no code', run: (side) => post(side, without(exchange(side, 'web', ''), 'code')) },
  { id: 'T12', what: 'unknown code', run: (side) => post(side, exchange(side, 'web', '0'.repeat(64))) },
  {
    id: 'T13',
    what: 'no redirect_uri',
    run: async (side) => post(side, without(exchange(side, 'web', await newCode(side, 'web')), 'redirect_uri')),
  },
  {
    id: 'T14',
    what: 'another redirect_uri',
    run: async (side) =>
      post(side, exchange(side, 'web', await newCode(side, 'web'), { redirect_uri: 'https://app.example.com/else' })),
  },
  {
    id: 'T15',
    what: 'the right redirect_uri after a wrong one',
    run: async (side) => {
      const code = await newCode(side, 'web');
      await post(side, exchange(side, 'web', code, { redirect_uri: 'https://app.example.com/else' }));
      return post(side, exchange(side, 'web', code));
    },
  },
  {
    id: 'T16',
    what: 'a code twice',
    run: async (side) => {
      const code = await newCode(side, 'web');
      await post(side, exchange(side, 'web', code));
      return post(side, exchange(side, 'web', code));
    },
  },
  {
    id: 'T17',
    what: 'the token of a code that was used twice',
    run: async (side) => {
      const code = await newCode(side, 'web');
      const { access } = tokensOf(side, await post(side, exchange(side, 'web', code)));
      await post(side, exchange(side, 'web', code));
      return info(side, access);
    },
  },
  {
    id: 'T18',
    what: 'the code of another client',
    run: async (side) => post(side, { ...exchange(side, 'web', await newCode(side, 'web')), ...inForm(side, 'other') }),
  },
  {
    id: 'T19',
    what: 'PKCE',
    run: async (side) =>
      post(side, exchange(side, 'web', await newCode(side, 'web', challenge), { code_verifier: verifier })),
  },
  {
    id: 'T20',
    what: 'PKCE without the verifier',
    run: async (side) => post(side, exchange(side, 'web', await newCode(side, 'web', challenge))),
  },
  {
    id: 'T21',
    what: 'PKCE with a wrong verifier',
    run: async (side) =>
      post(side, exchange(side, 'web', await newCode(side, 'web', challenge), { code_verifier: `${verifier}-not` })),
  },
  {
    id: 'T22',
    what: 'PKCE with a verifier of 42 characters',
    run: async (side) =>
      post(
        side,
        exchange(side, 'web', await newCode(side, 'web', { ...challenge, code_challenge: shortChallenge }), {
          code_verifier: short,
        }),
      ),
  },
  {
    id: 'T23',
    what: 'a verifier for a code without a challenge',
    run: async (side) => post(side, exchange(side, 'web', await newCode(side, 'web'), { code_verifier: verifier })),
  },
  {
    id: 'T24',
    what: 'public client with PKCE',
    run: async (side) =>
      post(side, exchange(side, 'program', await newCode(side, 'program', challenge), { code_verifier: verifier })),
  },
  {
    id: 'T25',
    what: 'public client by Basic with an empty password',
    run: async (side) =>
      post(
        side,
        without(
          exchange(side, 'program', await newCode(side, 'program', challenge), { code_verifier: verifier }),
          'client_id',
        ),
        {
          basic: [side.clients.program.clientId, ''],
        },
      ),
  },
  {
    id: 'T26',
    what: 'client in the query',
    run: async (side) =>
      post(side, without(exchange(side, 'web', await newCode(side, 'web')), 'client_id', 'client_secret'), {
        query: inForm(side, 'web'),
      }),
  },
  {
    id: 'T27',
    what: 'client by Basic and in the form',
    run: async (side) =>
      post(side, exchange(side, 'web', await newCode(side, 'web')), { basic: inHeader(side, 'web') }),
  },
  {
    id: 'T28',
    what: 'one client by Basic and another in the form',
    run: async (side) =>
      post(side, exchange(side, 'web', await newCode(side, 'web')), { basic: inHeader(side, 'other') }),
  },
];
