import { integratedSettings } from '../../service/errors/integrated-settings.ts';
import { offlineServices } from '../../service/offline-services.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { randomBytes } from 'node:crypto';
import type { EventToStore } from '../../../src-main/service/errors/store/events-store.ts';
import { prepareEvent, type PreparedEvent } from '../../../src-main/service/errors/events/prepare-event.ts';
import { userHasher } from '../../../src-main/service/errors/events/user-hash.ts';
import { type Services } from '../../../src-main/service/services.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { newPersonalAccessToken } from '../../../src-main/service/tokens/token-format.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { addMeasurement } from '../fixture/measurements.ts';
import type { FileSet } from '../fixture/files.ts';

/** The initial data of our service. */
export interface ErrorsFixture {
  /** Targets of envelopes, each with its own key, because a key's rate is limited. */
  readonly envelopePaths: readonly string[];
  /** Path of the error list of the project with many errors. */
  readonly errors: string;
  readonly manyId: number;
  /** A token of an administrator. */
  readonly admin: string;
}

export interface ErrorsWish {
  readonly events: number;
  readonly errors: number;
  readonly root: string;
  readonly set: FileSet;
  readonly names: readonly string[];
}

const day = 24 * 3600_000;
const people = 5000;

/**
 * Writes the database of our service: one measurement, a project that accepts errors, and one with
 * many.
 */
export async function writeErrorsDatabase(dataDir: string, wish: ErrorsWish): Promise<ErrorsFixture> {
  // Not synced to disk: a killed bench starts again from scratch.
  return withServices(dataDir, 'OFF', async (services) => fillErrors(services, wish));
}

/** Fills an empty database: see `writeErrorsDatabase`. */
export async function fillErrors(services: Services, wish: ErrorsWish): Promise<ErrorsFixture> {
  const alice = await services.users.create({
    username: 'alice',
    name: 'alice',
    email: null,
    passwordHash: null,
    isAdmin: true,
  });
  if (!alice) throw new Error('there is a user alice already');
  const admin = newPersonalAccessToken();
  const token = {
    userId: alice.id,
    name: 'bench',
    description: '',
    scopes: ['read_api'],
    tokenHash: secretDigest(admin),
    expiresAt: null,
  };
  await services.tokens.create(token);
  await addMeasurement(services, alice.id, wish.root, wish.set, wish.names);
  const taking = await addProject(services, 'lab/taking', 8);
  const many = await addProject(services, 'lab/many', 1);
  await addEvents(services, many.id, many.keys[0]?.id ?? 0, wish);
  return {
    envelopePaths: taking.keys.map(
      ({ text }) => `/api/v4/error_tracking/collector/api/${taking.id}/envelope/?sentry_key=${text}`,
    ),
    errors: `/api/v4/projects/${many.id}/errors`,
    manyId: many.id,
    admin,
  };
}

/** Opens the database of a service that does not run. */
export async function withServices<Result>(
  dataDir: string,
  synchronous: 'FULL' | 'OFF',
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(dataDir);
  database.pragma(`synchronous = ${synchronous}`);
  try {
    return await work(await offlineServices(dataDir, storeContext(database)));
  } finally {
    database.close();
  }
}

async function addProject(services: Services, name: string, keys: number) {
  const project = await services.projects.create(name, name);
  if (!project) throw new Error(`there is a project ${name} already`);
  await services.errorSettings.put({ ...integratedSettings, project_id: project.id });
  const texts = Array.from({ length: keys }, () => `bpk_${randomBytes(16).toString('hex')}`);
  return {
    id: project.id,
    keys: await Promise.all(
      texts.map(async (text) => ({ text, id: (await services.clientKeys.create(project.id, text)).id })),
    ),
  };
}

async function addEvents(
  services: Services,
  projectId: number,
  keyId: number,
  { events, errors }: ErrorsWish,
): Promise<void> {
  const hashUser = userHasher(services.secrets);
  const samples = Array.from({ length: errors }, (_, number) => sampleOf(number));
  const begin = Date.now() - 14 * day;
  let waiting: Promise<unknown>[] = [];
  for (let number = 0; number < events; number += 1) {
    const receivedAt = begin + Math.floor((number / events) * 14 * day);
    const sample = samples[number % errors] as PreparedEvent;
    const event = { ...sample, eventId: number.toString(16).padStart(32, '0'), receivedAt, occurredAt: receivedAt };
    const one: EventToStore = { projectId, keyId, event, userHash: hashUser(projectId, `id:${number % people}`) };
    waiting.push(services.errorEvents.add(one));
    if (waiting.length < 250) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

function sampleOf(number: number): PreparedEvent {
  const frames = Array.from({ length: 3 }, (_, place) => ({
    function: `step_${number}_${place}`,
    module: 'station.measure',
    lineno: 7 + place,
    in_app: true,
  }));
  const payload = {
    platform: 'python',
    level: ['error', 'warning', 'fatal'][number % 3],
    release: `station@1.${number % 40}.0`,
    environment: ['production', 'staging'][number % 2],
    server_name: `bench-${number % 25}`,
    tags: { beam: `b${number % 12}`, operator: `o${number % 200}` },
    exception: {
      values: [{ type: `StationError${number % 500}`, value: `step ${number} gave no signal`, stacktrace: { frames } }],
    },
  };
  const context = { receivedAt: 0, eventId: null, sentAt: null, sdk: null, address: null };
  const event = prepareEvent(Buffer.from(JSON.stringify(payload)), context);
  if (!event) throw new Error('the sample is no event');
  return event;
}
