import { exchange, inForm, inHeader, info, newCode, newTokens, type Case } from '../side.ts';
import { path, post, without } from './token-post.ts';

/** The token endpoint with codes: the form of a request, and what comes after it. */
export const tokenFormCases: readonly Case[] = [
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
