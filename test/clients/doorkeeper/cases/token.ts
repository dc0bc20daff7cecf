import {
  challenge,
  exchange,
  inForm,
  inHeader,
  info,
  newCode,
  newTokens,
  tokensOf,
  verifier,
  type Case,
  type Side,
} from '../side.ts';

const path = '/oauth/token';
const post = (side: Side, form: Readonly<Record<string, string>> | string, rest = {}) =>
  side.send({ path, form, ...rest });
const without = (form: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));
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
  {
    id: 'T29',
    what: 'redirect_uri twice',
    run: async (side) => {
      const form = exchange(side, 'web', await newCode(side, 'web'));
      return post(
        side,
        `${new URLSearchParams(form).toString()}&redirect_uri=${encodeURIComponent(form['redirect_uri'] ?? '')}`,
      );
    },
  },
  {
    id: 'T30',
    what: 'JSON',
    run: async (side) =>
      side.send({
        path,
        method: 'POST',
        raw: { type: 'application/json', text: JSON.stringify(exchange(side, 'web', await newCode(side, 'web'))) },
      }),
  },
  {
    id: 'T31',
    what: 'text',
    run: async (side) => {
      const text = new URLSearchParams(exchange(side, 'web', await newCode(side, 'web'))).toString();
      return side.send({ path, method: 'POST', raw: { type: 'text/plain', text } });
    },
  },
  { id: 'T32', what: 'nothing', run: (side) => side.send({ path, method: 'POST' }) },
  { id: 'T33', what: 'GET', run: (side) => side.send({ path, query: exchange(side, 'web', 'c') }) },
  { id: 'T34', what: 'PUT', run: (side) => side.send({ path, method: 'PUT', form: exchange(side, 'web', 'c') }) },
  {
    id: 'T35',
    what: 'Basic that is no base64',
    run: (side) =>
      post(side, { grant_type: 'authorization_code', code: 'c' }, { headers: { authorization: 'Basic %%%' } }),
  },
  {
    id: 'T36',
    what: 'a code that is no text',
    run: (side) =>
      post(side, `${new URLSearchParams(without(exchange(side, 'web', ''), 'code')).toString()}&code[a]=b`),
  },
  {
    id: 'T37',
    what: 'everything but the client in the query',
    run: async (side) =>
      side.send({
        path,
        method: 'POST',
        query: without(exchange(side, 'web', await newCode(side, 'web')), 'client_id', 'client_secret'),
        basic: inHeader(side, 'web'),
      }),
  },
  {
    id: 'T38',
    what: 'client_credentials',
    run: (side) => post(side, { grant_type: 'client_credentials', ...inForm(side, 'web') }),
  },
  {
    id: 'T39',
    what: 'a code for OpenID Connect',
    run: async (side) =>
      post(side, exchange(side, 'web', await newCode(side, 'web', { scope: 'openid profile', nonce: 'n' }))),
  },
  {
    id: 'T40',
    what: 'a second code for the same scopes leaves the first tokens alone',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      await newTokens(side, 'web');
      return info(side, access);
    },
  },
  {
    id: 'T41',
    what: 'an unknown parameter',
    run: async (side) => post(side, exchange(side, 'web', await newCode(side, 'web'), { audience: 'x' })),
  },
];
