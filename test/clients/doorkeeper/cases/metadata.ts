import { newTokens, type Case } from '../side.ts';

/** Metadata and OpenID Connect. */
export const metadataCases: readonly Case[] = [
  {
    id: 'M01',
    what: '/.well-known/openid-configuration',
    run: (side) => side.send({ path: '/.well-known/openid-configuration' }),
  },
  {
    id: 'M02',
    what: '/.well-known/oauth-authorization-server',
    run: (side) => side.send({ path: '/.well-known/oauth-authorization-server' }),
  },
  { id: 'M03', what: 'the keys', run: (side) => side.send({ path: '/oauth/discovery/keys' }) },
  {
    id: 'M04',
    what: 'userinfo',
    run: async (side) =>
      side.send({ path: '/oauth/userinfo', bearer: (await newTokens(side, 'web', 'openid profile')).access }),
  },
  {
    id: 'M05',
    what: 'userinfo by POST',
    run: async (side) =>
      side.send({ path: '/oauth/userinfo', method: 'POST', bearer: (await newTokens(side, 'web', 'openid')).access }),
  },
  {
    id: 'M06',
    what: 'userinfo without the scope',
    run: async (side) =>
      side.send({ path: '/oauth/userinfo', bearer: (await newTokens(side, 'web', 'read_user')).access }),
  },
  { id: 'M07', what: 'userinfo without a token', run: (side) => side.send({ path: '/oauth/userinfo' }) },
];
