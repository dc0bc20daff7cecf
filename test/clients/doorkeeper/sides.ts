import path from 'node:path';
import { createFirstUser, createUser } from '../../../src-main/service/accounts/users/create-user.ts';
import type { CreatedApplication } from '../../../src-main/service/contract/applications.ts';
import { readForms } from '../oauth/read-forms.ts';
import { asWindow } from '../../service/as-window.ts';
import { startTestService } from '../../service/start.ts';
import { ask, type Answer, type Question } from './answer.ts';
import { applications, password, type Client, type ClientName, type Side } from './side.ts';
import { startDoorkeeper } from './start-doorkeeper.ts';

/** A new loopback address for each group of requests, because failures are counted by address. */
export interface Movable extends Side {
  moveTo(address: string): void;
}

const names = Object.keys(applications) as readonly ClientName[];
const authorize = '/oauth/authorize';

async function clientsOf(
  register: (name: ClientName) => Promise<Omit<Client, 'redirectUri'>>,
): Promise<Record<ClientName, Client>> {
  const entries: [ClientName, Client][] = [];
  for (const name of names)
    entries.push([name, { ...(await register(name)), redirectUri: applications[name].redirectUri }]);
  return Object.fromEntries(entries) as Record<ClientName, Client>;
}

/** Doorkeeper, where a header signs a user in. */
export async function startTheirs(dir: string): Promise<Movable> {
  const doorkeeper = await startDoorkeeper({
    database: path.join(dir, 'doorkeeper.db'),
    users: [
      { username: 'alice', password },
      { username: 'bob', password, two_factor: true },
    ],
    applications: names.map((name) => {
      const { redirectUri, scopes, confidential } = applications[name];
      return { name, redirect_uri: redirectUri, scopes: scopes.join(' '), confidential };
    }),
  });
  let from = '127.0.0.1';
  const send = (question: Question) => ask(doorkeeper.port, from, question);
  const signedIn = { headers: { 'x-signed-in': 'alice' } };
  return {
    name: 'Doorkeeper',
    url: `http://127.0.0.1:${doorkeeper.port}`,
    clients: await clientsOf(async (name) => {
      const { clientId = '', secret = '' } = doorkeeper.applications[name] ?? {};
      return { clientId, secret: applications[name].confidential ? secret : '' };
    }),
    moveTo: (address) => (from = address),
    send,
    open: (query) => send({ path: authorize, query, ...signedIn }),
    decide: async (decision, query) => {
      const page = await send({ path: authorize, query, ...signedIn });
      if (page.status !== 200 || !page.text.includes('<form')) return page;
      return send({ method: decision === 'approve' ? 'POST' : 'DELETE', path: authorize, form: query, ...signedIn });
    },
    stop: () => doorkeeper.stop(),
  };
}

/** Our service, with alice signed in by form. */
export async function startOurs(): Promise<Movable> {
  const service = await startTestService();
  const owner = { username: 'grace', name: 'Grace', email: null, password: 'the owner of this server', isAdmin: true };
  const grace = await createFirstUser(service.services, owner);
  const person = (username: string) =>
    createUser(
      service.services,
      { username, name: username, email: `${username}@example.com`, password, isAdmin: false },
      { userId: grace.id, address: null },
    );
  await person('alice');
  const bob = await person('bob');
  await service.services.totpKeys.begin(bob.id, Buffer.alloc(32), Date.now());
  await service.services.totpKeys.confirm(bob.id, 1, Date.now());
  service.services.changes.bump();

  let from = '127.0.0.1';
  const send = (question: Question) => ask(service.port, from, question);
  const cookies = (answer: Answer) => (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
  const form = await send({ path: '/users/sign_in' });
  const fields = Object.fromEntries(readForms(form.text)[0]?.fields ?? []);
  const signedIn = await send({
    path: '/users/sign_in',
    form: { ...fields, username: 'alice', password },
    headers: { cookie: cookies(form) },
  });
  if (signedIn.status !== 303) throw new Error(`alice could not sign in: ${signedIn.status} ${signedIn.text}`);
  const headers = { cookie: cookies(signedIn) };
  return {
    name: 'Benchport',
    url: service.url,
    clients: await clientsOf(async (name) => {
      const { redirectUri, scopes, confidential } = applications[name];
      const answer = await asWindow(service, 'POST', '/api/v4/user/applications', {
        name,
        redirect_uris: [redirectUri],
        scopes,
        confidential,
      });
      if (answer.status !== 201)
        throw new Error(`registering ${name} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
      const created = answer.body as CreatedApplication;
      return { clientId: created.client_id, secret: created.client_secret ?? '' };
    }),
    moveTo: (address) => (from = address),
    send,
    open: (query) => send({ path: authorize, query, headers }),
    decide: async (decision, query) => {
      const page = await send({ path: authorize, query, headers });
      const consent = readForms(page.text).find((one) => one.fields.has('request'));
      if (!consent) return page;
      return send({ path: authorize, form: { ...Object.fromEntries(consent.fields), decision }, headers });
    },
    stop: () => service.end(),
  };
}
