import { offlineServices } from '../service/offline-services.ts';
import { storeContext } from '../../src-main/service/database/store-context.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scope } from '../../src-main/service/contract/scope-meanings.ts';
import { createFirstUser, createUser } from '../../src-main/service/accounts/users/create-user.ts';
import { openDatabase } from '../../src-main/service/database/open.ts';
import { createClientKey } from '../../src-main/service/errors/settings/client-keys-change.ts';
import { changeSettings } from '../../src-main/service/errors/settings/settings-change.ts';
import { registerApplication } from '../../src-main/service/oauth/applications/register-application.ts';
import { createProject } from '../../src-main/service/projects/create-project.ts';
import { type Services } from '../../src-main/service/services.ts';
import { createToken } from '../../src-main/service/tokens/create-token.ts';
import { atTheMachine } from '../../src-main/service/http/principal.ts';
import { ledger, type Ledger } from '../service/security/ledger.ts';
import { sendOnce } from './ask.ts';
import type { SoakRecord } from './record.ts';
import type { ServiceProcess } from './service-process.ts';

export interface KnownFile {
  readonly path: string;
  readonly bytes: Buffer;
}

export interface KnownMeasurement {
  readonly id: string;
  readonly files: readonly KnownFile[];
  /** SHA-256 of its archive, once it was downloaded. */
  archive: Buffer | null;
}

/** The shared state of all actors. */
export interface World {
  readonly dir: string;
  /** The tested service; the other one fetches from it. */
  readonly main: ServiceProcess;
  readonly other: ServiceProcess;
  readonly record: SoakRecord;
  readonly secrets: Ledger;
  readonly token: string;
  readonly application: { readonly clientId: string; readonly secret: string };
  readonly project: { readonly id: number; readonly key: string };
  /**
   * The attacker's credentials: the token of another user, and the client key of another project.
   */
  readonly attacker: { readonly token: string; readonly project: { readonly id: number; readonly key: string } };
  /** Measurements that exist for the whole time. */
  readonly measurements: readonly KnownMeasurement[];
  readonly largest: KnownMeasurement;
  /** Measurements registered meanwhile, and those whose removal was confirmed. */
  readonly registered: KnownMeasurement[];
  readonly removed: Set<string>;
  readonly acceptedEvents: string[];
  readonly revoked: string[];
  readonly stopping: () => boolean;
}

export const passwords = { alice: 'violet-Quagga 71', bob: 'teal Narwhal 58!' } as const;
export const callback = 'https://app.example/callback';

/** Writes files of random bytes; only their total size is known. */
export function someFiles(count: number, least: number, most: number): readonly KnownFile[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `run-${String(index).padStart(4, '0')}.bin`,
    bytes: randomBytes(least === most ? least : randomInt(least, most)),
  }));
}

/** Writes files into a new folder. @returns the folder. */
async function writeFolder(dir: string, name: string, files: readonly KnownFile[]): Promise<string> {
  const folder = path.join(dir, 'instrument', name);
  await mkdir(folder, { recursive: true });
  for (const file of files) await writeFile(path.join(folder, file.path), file.bytes);
  return folder;
}

/** Writes users, tokens, an application and a project before the first start. */
export async function settle(service: ServiceProcess, secrets: Ledger) {
  const database = openDatabase(service.dataDir);
  const services = await offlineServices(service.dataDir, storeContext(database));
  const wish = (username: 'alice' | 'bob') => ({
    username,
    name: username,
    email: null,
    password: passwords[username],
    isAdmin: false,
  });
  const alice = await createFirstUser(services, wish('alice'));
  const bob = await createUser(services, wish('bob'), atTheMachine);
  const wishedToken = (userId: number, scopes: readonly Scope[]) => ({
    userId,
    name: 'soak',
    description: '',
    scopes,
    expiresAt: null,
  });
  const { token } = await createToken(services, wishedToken(alice.id, ['api']), atTheMachine);
  const { token: attackerToken } = await createToken(services, wishedToken(bob.id, ['read_measurement']), atTheMachine);
  const { application, secret } = await registerApplication(
    services,
    {
      ownerId: alice.id,
      name: 'Soak',
      redirectUris: [callback],
      scopes: ['api', 'read_user'],
      confidential: true,
      trusted: false,
      legacyImplicit: false,
      deviceGrant: false,
    },
    atTheMachine,
  );
  const project = await collectingProject(services, 'lab/soak', alice.id);
  const attackerProject = await collectingProject(services, 'lab/attacker', bob.id);
  database.close();
  for (const [name, password] of Object.entries(passwords)) secrets.note(`the password of ${name}`, password);
  return {
    token: secrets.note('the token of alice', token),
    application: {
      clientId: application.clientId,
      secret: secrets.note('the secret of the application', secret ?? ''),
    },
    project,
    attacker: { token: secrets.note('the token of bob', attackerToken), project: attackerProject },
  };
}

/** A project with error tracking and a client key. */
async function collectingProject(services: Services, place: string, ownerId: number) {
  const project = await createProject(services, { path: place, name: null, ownerId }, atTheMachine);
  await changeSettings(services, project, { active: true, integrated: true }, atTheMachine);
  const { public_key: key } = await createClientKey(services, project, atTheMachine);
  return { id: project.id, key };
}

/**
 * Registers a folder over the private socket and waits until it is available, over every kill.
 * @returns null where it is unknown whether it was begun.
 */
export async function register(
  world: Pick<World, 'main' | 'record' | 'dir'>,
  id: string,
  files: readonly KnownFile[],
  copy: boolean,
): Promise<KnownMeasurement | null> {
  const folder = await writeFolder(world.dir, id, files);
  const from = performance.now();
  const begun = await world.record.attempt('registration begun', async () => {
    const reply = await sendOnce(world.main, '/api/v4/local/registrations', {
      method: 'POST',
      window: true,
      body: JSON.stringify({ path: folder, id, copy }),
    });
    world.record.expect(reply, from, 202);
    return JSON.parse(reply.body.toString()) as { readonly id: number };
  });
  if (!begun) return null;
  const ended = await jobEnds(world, begun.id, id);
  world.record.promise(
    'What was answered 2xx is on disk',
    ended === 'done',
    `the registration of ${id} was answered with 202 and has ended as ${ended}`,
  );
  return ended === 'done' ? { id, files, archive: null } : null;
}

const maxJobMs = 180_000;

/** Waits for the end of a measurement's job, and resumes one that has paused for lack of space. */
export async function jobEnds(
  { main, record }: Pick<World, 'main' | 'record'>,
  id: number,
  measurement: string,
): Promise<string> {
  const end = performance.now() + maxJobMs;
  let state = 'unknown';
  let message: string | null = null;
  while (performance.now() < end) {
    const reply = await record.attempt('job looked at', async () =>
      sendOnce(main, `/api/v4/jobs/${id}`, { window: true }),
    );
    if (reply?.status === 200) {
      const job = JSON.parse(reply.body.toString()) as {
        readonly state: string;
        readonly message: string | null;
        readonly measurement_id: string;
      };
      ({ state, message } = job);
      if (job.measurement_id !== measurement) return `the job of ${job.measurement_id}`;
    } else if (reply) state = `answered with ${reply.status}`;
    if (state === 'done') return state;
    if (['failed', 'cancelled'].includes(state)) return `${state}: ${message}`;
    if (state === 'paused')
      await record.attempt('job resumed', async () =>
        sendOnce(main, `/api/v4/jobs/${id}`, { method: 'POST', window: true, body: '{"action":"resume"}' }),
      );
    await pause(100, 300);
  }
  return `${state}: ${message}`;
}

export async function pause(least: number, most: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, randomInt(Math.floor(least), Math.ceil(most))));
}

export function oneOf<T>(list: readonly T[]): T {
  const one = list[randomInt(list.length)];
  if (one === undefined) throw new Error('there is none');
  return one;
}

export function newLedger(): Ledger {
  return ledger();
}
