import { inForm, inHeader, info, password, refreshWith, tokensOf, type Case, type Side } from '../side.ts';

const grant = (side: Side, more: Readonly<Record<string, string>> = {}, rest = {}) =>
  side.send({ path: '/oauth/token', form: { grant_type: 'password', username: 'alice', password, ...more }, ...rest });

/** The password grant. */
export const passwordCases: readonly Case[] = [
  { id: 'P01', what: 'without a client', run: (side) => grant(side) },
  { id: 'P02', what: 'client by Basic', run: (side) => grant(side, {}, { basic: inHeader(side, 'web') }) },
  { id: 'P03', what: 'client in the form', run: (side) => grant(side, inForm(side, 'web')) },
  { id: 'P04', what: 'wrong password', run: (side) => grant(side, { password: 'wrong' }) },
  { id: 'P05', what: 'unknown user', run: (side) => grant(side, { username: 'nobody' }) },
  { id: 'P06', what: 'user with two factors', run: (side) => grant(side, { username: 'bob' }) },
  {
    id: 'P07',
    what: 'no user',
    run: (side) => side.send({ path: '/oauth/token', form: { grant_type: 'password', password } }),
  },
  {
    id: 'P08',
    what: 'no password',
    run: (side) => side.send({ path: '/oauth/token', form: { grant_type: 'password', username: 'alice' } }),
  },
  { id: 'P09', what: 'unknown scope', run: (side) => grant(side, { scope: 'everything' }) },
  { id: 'P10', what: 'a scope', run: (side) => grant(side, { scope: 'read_user' }) },
  {
    id: 'P11',
    what: 'a scope beyond the application',
    run: (side) => grant(side, { scope: 'api', ...inForm(side, 'narrow') }),
  },
  {
    id: 'P12',
    what: 'no scope, with an application that may not have the default one',
    run: (side) => grant(side, inForm(side, 'narrow')),
  },
  { id: 'P13', what: 'unknown client', run: (side) => grant(side, {}, { basic: ['f'.repeat(64), 'secret'] }) },
  { id: 'P14', what: 'wrong secret', run: (side) => grant(side, {}, { basic: [side.clients.web.clientId, 'wrong'] }) },
  { id: 'P15', what: 'public client', run: (side) => grant(side, inForm(side, 'program')) },
  {
    id: 'P16',
    what: 'confidential client without its secret',
    run: (side) => grant(side, { client_id: side.clients.web.clientId }),
  },
  {
    id: 'P17',
    what: 'refresh of what a client got',
    run: async (side) => refreshWith(side, 'web', tokensOf(side, await grant(side, inForm(side, 'web'))).refresh),
  },
  {
    id: 'P18',
    what: 'token information of a token without an application',
    run: async (side) => info(side, tokensOf(side, await grant(side)).access),
  },
];
