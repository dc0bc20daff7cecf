import { inForm, inHeader, info, newTokens, refreshWith, type Case, type Side } from '../side.ts';

const user = '/api/v4/user';
const introspect = (side: Side, token: string, more: Readonly<Record<string, string>> = inForm(side, 'web')) =>
  side.send({ path: '/oauth/introspect', form: { token, ...more } });
const revoke = (side: Side, token: string, more: Readonly<Record<string, string>> = inForm(side, 'web')) =>
  side.send({ path: '/oauth/revoke', form: { token, ...more } });

/** Token information. */
export const infoCases: readonly Case[] = [
  { id: 'I01', what: 'as bearer', run: async (side) => info(side, (await newTokens(side, 'web')).access) },
  {
    id: 'I02',
    what: 'in the query',
    run: async (side) =>
      side.send({ path: '/oauth/token/info', query: { access_token: (await newTokens(side, 'web')).access } }),
  },
  { id: 'I03', what: 'no token', run: (side) => side.send({ path: '/oauth/token/info' }) },
  { id: 'I04', what: 'unknown token', run: (side) => info(side, '0'.repeat(64)) },
  {
    id: 'I05',
    what: 'revoked token',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      await revoke(side, access);
      return info(side, access);
    },
  },
  {
    id: 'I06',
    what: 'as bearer and in the query',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      return side.send({ path: '/oauth/token/info', bearer: access, query: { access_token: access } });
    },
  },
  { id: 'I07', what: 'a refresh token', run: async (side) => info(side, (await newTokens(side, 'web')).refresh) },
  {
    id: 'I08',
    what: 'POST',
    run: async (side) =>
      side.send({ path: '/oauth/token/info', form: { access_token: (await newTokens(side, 'web')).access } }),
  },
];

/** The API. */
export const apiCases: readonly Case[] = [
  { id: 'A01', what: 'no token', run: (side) => side.send({ path: user }) },
  { id: 'A02', what: 'unknown token', run: (side) => side.send({ path: user, bearer: '0'.repeat(64) }) },
  {
    id: 'A03',
    what: 'scope too small',
    run: async (side) => side.send({ path: user, bearer: (await newTokens(side, 'web', 'openid')).access }),
  },
];

/** Revocation (RFC 7009). */
export const revocationCases: readonly Case[] = [
  { id: 'V01', what: 'an access token', run: async (side) => revoke(side, (await newTokens(side, 'web')).access) },
  { id: 'V02', what: 'a refresh token', run: async (side) => revoke(side, (await newTokens(side, 'web')).refresh) },
  { id: 'V03', what: 'an unknown token', run: (side) => revoke(side, '0'.repeat(64)) },
  { id: 'V04', what: 'no client', run: async (side) => revoke(side, (await newTokens(side, 'web')).access, {}) },
  {
    id: 'V05',
    what: 'wrong secret',
    run: async (side) =>
      revoke(side, (await newTokens(side, 'web')).access, { ...inForm(side, 'web'), client_secret: 'wrong' }),
  },
  {
    id: 'V06',
    what: 'the token of another client',
    run: async (side) => revoke(side, (await newTokens(side, 'web')).access, inForm(side, 'other')),
  },
  {
    id: 'V07',
    what: 'the token that another client wanted to revoke',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      await revoke(side, access, inForm(side, 'other'));
      return info(side, access);
    },
  },
  {
    id: 'V08',
    what: 'a wrong hint',
    run: async (side) =>
      revoke(side, (await newTokens(side, 'web')).access, { ...inForm(side, 'web'), token_type_hint: 'refresh_token' }),
  },
  {
    id: 'V09',
    what: 'the token after a wrong hint',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      await revoke(side, access, { ...inForm(side, 'web'), token_type_hint: 'refresh_token' });
      return info(side, access);
    },
  },
  { id: 'V10', what: 'no token', run: (side) => side.send({ path: '/oauth/revoke', form: inForm(side, 'web') }) },
  {
    id: 'V11',
    what: 'the access token after its refresh token',
    run: async (side) => {
      const tokens = await newTokens(side, 'web');
      await revoke(side, tokens.refresh);
      return info(side, tokens.access);
    },
  },
  {
    id: 'V12',
    what: 'the refresh token after its access token',
    run: async (side) => {
      const tokens = await newTokens(side, 'web');
      await revoke(side, tokens.access);
      return refreshWith(side, 'web', tokens.refresh);
    },
  },
  {
    id: 'V13',
    what: 'GET',
    run: async (side) =>
      side.send({
        path: '/oauth/revoke',
        query: { token: (await newTokens(side, 'web')).access, ...inForm(side, 'web') },
      }),
  },
  {
    id: 'V14',
    what: 'a public client',
    run: async (side) => revoke(side, (await newTokens(side, 'program')).access, inForm(side, 'program')),
  },
  {
    id: 'V15',
    what: 'twice',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      await revoke(side, access);
      return revoke(side, access);
    },
  },
];

/** Introspection (RFC 7662). */
export const introspectionCases: readonly Case[] = [
  {
    id: 'N01',
    what: 'client by Basic',
    run: async (side) =>
      side.send({
        path: '/oauth/introspect',
        form: { token: (await newTokens(side, 'web')).access },
        basic: inHeader(side, 'web'),
      }),
  },
  {
    id: 'N02',
    what: 'client in the form',
    run: async (side) => introspect(side, (await newTokens(side, 'web')).access),
  },
  { id: 'N03', what: 'an unknown token', run: (side) => introspect(side, '0'.repeat(64)) },
  {
    id: 'N04',
    what: 'the token of another client',
    run: async (side) => introspect(side, (await newTokens(side, 'web')).access, inForm(side, 'other')),
  },
  { id: 'N05', what: 'no client', run: async (side) => introspect(side, (await newTokens(side, 'web')).access, {}) },
  {
    id: 'N06',
    what: 'wrong secret',
    run: async (side) =>
      introspect(side, (await newTokens(side, 'web')).access, { ...inForm(side, 'web'), client_secret: 'wrong' }),
  },
  { id: 'N07', what: 'a refresh token', run: async (side) => introspect(side, (await newTokens(side, 'web')).refresh) },
  {
    id: 'N08',
    what: 'another token of the application instead of its secret',
    run: async (side) => {
      const [asked, asking] = [await newTokens(side, 'web'), await newTokens(side, 'web')];
      return side.send({ path: '/oauth/introspect', form: { token: asked.access }, bearer: asking.access });
    },
  },
  {
    id: 'N09',
    what: 'a revoked token',
    run: async (side) => {
      const { access } = await newTokens(side, 'web');
      await revoke(side, access);
      return introspect(side, access);
    },
  },
  { id: 'N10', what: 'no token', run: (side) => side.send({ path: '/oauth/introspect', form: inForm(side, 'web') }) },
  {
    id: 'N11',
    what: 'a public client',
    run: async (side) => introspect(side, (await newTokens(side, 'program')).access, inForm(side, 'program')),
  },
];
