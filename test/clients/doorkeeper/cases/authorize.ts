import { challenge, newTokens, wish, type Case, type Side } from '../side.ts';

const open = (side: Side, more: Readonly<Record<string, string>>) => side.open(wish(side, 'fresh', more));
const openWithout = (side: Side, name: string) =>
  side.open(Object.fromEntries(Object.entries(wish(side, 'fresh')).filter(([one]) => one !== name)));
const signedOut = (side: Side, query: Readonly<Record<string, string>>) =>
  side.send({ path: '/oauth/authorize', query });

/** The authorization endpoint. */
export const authorizeCases: readonly Case[] = [
  { id: 'Z01', what: 'the page', run: (side) => open(side, {}) },
  { id: 'Z02', what: 'denied', run: (side) => side.decide('deny', wish(side, 'fresh')) },
  { id: 'Z03', what: 'approved', run: (side) => side.decide('approve', wish(side, 'other')) },
  {
    id: 'Z04',
    what: 'approved without state',
    run: (side) => side.decide('approve', wish(side, 'other', { state: '', scope: 'api' })),
  },
  {
    id: 'Z05',
    what: 'approved with a state of all sorts',
    run: (side) => side.decide('approve', wish(side, 'other', { state: 'a b+c&d=e%/ü"<' })),
  },
  {
    id: 'Z06',
    what: 'approved with a query in the registered address',
    run: (side) => side.decide('approve', wish(side, 'query')),
  },
  { id: 'Z07', what: 'unknown client', run: (side) => open(side, { client_id: 'f'.repeat(64) }) },
  { id: 'Z08', what: 'no client', run: (side) => openWithout(side, 'client_id') },
  { id: 'Z09', what: 'no redirect_uri', run: (side) => openWithout(side, 'redirect_uri') },
  {
    id: 'Z10',
    what: 'another redirect_uri',
    run: (side) => open(side, { redirect_uri: 'https://evil.example.com/callback' }),
  },
  {
    id: 'Z11',
    what: 'redirect_uri with more query',
    run: (side) => open(side, { redirect_uri: 'https://fresh.example.com/callback?next=/' }),
  },
  {
    id: 'Z12',
    what: 'redirect_uri with its host in capitals',
    run: (side) => open(side, { redirect_uri: 'https://FRESH.example.com/callback' }),
  },
  {
    id: 'Z13',
    what: 'redirect_uri with a slash at the end',
    run: (side) => open(side, { redirect_uri: 'https://fresh.example.com/callback/' }),
  },
  {
    id: 'Z14',
    what: 'redirect_uri with a fragment',
    run: (side) => open(side, { redirect_uri: 'https://fresh.example.com/callback#f' }),
  },
  {
    id: 'Z15',
    what: 'another port of the loopback',
    run: (side) => side.open(wish(side, 'program', { redirect_uri: 'http://127.0.0.1:49152/callback', ...challenge })),
  },
  {
    id: 'Z16',
    what: 'localhost instead of the loopback',
    run: (side) => side.open(wish(side, 'program', { redirect_uri: 'http://localhost/callback', ...challenge })),
  },
  { id: 'Z17', what: 'no response_type', run: (side) => openWithout(side, 'response_type') },
  { id: 'Z18', what: 'unknown response_type', run: (side) => open(side, { response_type: 'ticket' }) },
  { id: 'Z19', what: 'response_type token', run: (side) => open(side, { response_type: 'token' }) },
  { id: 'Z20', what: 'unknown scope', run: (side) => open(side, { scope: 'everything' }) },
  {
    id: 'Z21',
    what: 'a scope beyond the application',
    run: (side) => side.open(wish(side, 'narrow', { scope: 'api' })),
  },
  { id: 'Z22', what: 'scopes with commas', run: (side) => open(side, { scope: 'api,read_user' }) },
  { id: 'Z23', what: 'no scope', run: (side) => openWithout(side, 'scope') },
  {
    id: 'Z24',
    what: 'PKCE plain',
    run: (side) => open(side, { code_challenge: challenge.code_challenge, code_challenge_method: 'plain' }),
  },
  {
    id: 'Z25',
    what: 'challenge without a method',
    run: (side) => open(side, { code_challenge: challenge.code_challenge }),
  },
  { id: 'Z26', what: 'method without a challenge', run: (side) => open(side, { code_challenge_method: 'S256' }) },
  {
    id: 'Z27',
    what: 'a challenge of 10 characters',
    run: (side) => open(side, { ...challenge, code_challenge: '0123456789' }),
  },
  { id: 'Z28', what: 'public client without PKCE', run: (side) => side.open(wish(side, 'program')) },
  {
    id: 'Z29',
    what: 'scope twice',
    run: (side) => side.open(`${new URLSearchParams(wish(side, 'fresh')).toString()}&scope=api`),
  },
  {
    id: 'Z30',
    what: 'a state that is no text',
    run: (side) => side.open(`${new URLSearchParams(wish(side, 'fresh')).toString()}&state[a]=b`),
  },
  { id: 'Z31', what: 'signed out', run: (side) => signedOut(side, wish(side, 'fresh')) },
  {
    id: 'Z32',
    what: 'signed out, unknown client',
    run: (side) => signedOut(side, wish(side, 'fresh', { client_id: 'f'.repeat(64) })),
  },
  {
    id: 'Z33',
    what: 'signed out, another redirect_uri',
    run: (side) => signedOut(side, wish(side, 'fresh', { redirect_uri: 'https://evil.example.com/callback' })),
  },
  {
    id: 'Z34',
    what: 'signed out, prompt=none',
    run: (side) => signedOut(side, wish(side, 'web', { scope: 'openid', prompt: 'none' })),
  },
  {
    id: 'Z35',
    what: 'approved with response_mode=fragment',
    run: (side) => side.decide('approve', wish(side, 'other', { response_mode: 'fragment' })),
  },
  {
    id: 'Z36',
    what: 'the same scopes again, confidential',
    run: async (side) => {
      await newTokens(side, 'web', 'read_user profile');
      return side.open(wish(side, 'web', { scope: 'read_user profile' }));
    },
  },
  {
    id: 'Z37',
    what: 'the same scopes again, public',
    run: async (side) => {
      await newTokens(side, 'program');
      return side.open(wish(side, 'program', challenge));
    },
  },
  {
    id: 'Z38',
    what: 'HEAD',
    run: (side) => side.send({ method: 'HEAD', path: '/oauth/authorize', query: wish(side, 'fresh') }),
  },
];
