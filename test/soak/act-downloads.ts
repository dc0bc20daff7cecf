import { randomInt } from 'node:crypto';
import { sendOnce, Broken } from './ask.ts';
import { oneOf, pause, type KnownMeasurement, type World } from './world.ts';

const served = 'A byte that is served is the byte that was registered, or the transfer fails visibly';

function any(world: World): KnownMeasurement {
  return oneOf([...world.measurements, ...world.registered]);
}

const authorization = (world: World) => ({ authorization: `Bearer ${world.token}` });

/** Whether a missing measurement was removed, which is the only valid reason. */
function isGone({ record, removed }: World, { id }: KnownMeasurement, status: number): boolean {
  if (status !== 404) return false;
  if (!removed.has(id)) record.promise('What was answered 2xx is on disk', false, `${id} was registered and is gone`);
  return true;
}

/** Downloads whole files. */
export async function downloadFile(world: World): Promise<void> {
  const [measurement, from] = [any(world), performance.now()];
  const index = randomInt(measurement.files.length);
  await world.record.attempt('file', async () => {
    const reply = await sendOnce(world.main, `/measurements/${measurement.id}/files/${index}`, {
      headers: authorization(world),
    });
    if (isGone(world, measurement, reply.status)) return;
    world.record.expect(reply, from, 200);
    world.record.promise(
      served,
      reply.body.equals(measurement.files[index]?.bytes ?? Buffer.alloc(0)),
      `${measurement.id}/${index} was other bytes`,
    );
  });
  await pause(20, 120);
}

/** Downloads ranges of files, mostly small ones. */
export async function downloadRange(world: World): Promise<void> {
  const [measurement, from] = [any(world), performance.now()];
  const index = randomInt(measurement.files.length);
  const bytes = measurement.files[index]?.bytes ?? Buffer.alloc(0);
  const start = randomInt(bytes.length);
  const end = Math.min(bytes.length, start + 1 + randomInt(oneOf([1000, 65_536, 2_000_000])));
  await world.record.attempt('range', async () => {
    const reply = await sendOnce(world.main, `/measurements/${measurement.id}/files/${index}`, {
      headers: { ...authorization(world), range: `bytes=${start}-${end - 1}` },
    });
    if (isGone(world, measurement, reply.status)) return;
    world.record.expect(reply, from, 206);
    world.record.promise(
      served,
      reply.body.equals(bytes.subarray(start, end)),
      `bytes ${start} to ${end} of ${measurement.id}/${index} were others`,
    );
  });
  await pause(10, 60);
}

/** Downloads archives: whole, always equal, and in matching pieces. */
export async function downloadArchive(world: World): Promise<void> {
  const [measurement, from] = [oneOf(world.measurements), performance.now()];
  await world.record.attempt('archive', async () => {
    const known = measurement.archive;
    const start = known === null ? 0 : randomInt(known.length);
    const part = known !== null && randomInt(3) > 0;
    const headers = { ...authorization(world), ...(part ? { range: `bytes=${start}-` } : {}) };
    const reply = await sendOnce(world.main, `/measurements/${measurement.id}`, { headers });
    world.record.expect(reply, from, part ? 206 : 200);
    if (known === null) {
      measurement.archive = reply.body;
      const whole = measurement.files.every(({ bytes }) => reply.body.includes(bytes));
      world.record.promise(served, whole, `the archive of ${measurement.id} lacks bytes of its files`);
    } else
      world.record.promise(
        served,
        reply.body.equals(part ? known.subarray(start) : known),
        `the archive of ${measurement.id} has changed`,
      );
  });
  await pause(100, 400);
}

/** Clients that disconnect midway and resume there. */
export async function leaveAndResume(world: World): Promise<void> {
  const { largest } = world;
  const bytes = largest.files[0]?.bytes ?? Buffer.alloc(0);
  await world.record.attempt('left and resumed', async () => {
    const from = performance.now();
    const first = await sendOnce(world.main, `/measurements/${largest.id}/files/0`, {
      headers: authorization(world),
      leaveAfter: randomInt(bytes.length / 2),
    });
    world.record.expect(first, from, 200);
    const headers = {
      ...authorization(world),
      range: `bytes=${first.body.length}-`,
      'if-range': first.headers.etag ?? '',
    };
    const rest = await sendOnce(world.main, `/measurements/${largest.id}/files/0`, { headers });
    world.record.expect(rest, from, 206);
    world.record.promise(served, Buffer.concat([first.body, rest.body]).equals(bytes), 'what was resumed does not fit');
  });
  await pause(200, 800);
}

/** Clients that read slowly. */
export async function readSlowly(world: World): Promise<void> {
  const [{ largest }, from] = [world, performance.now()];
  await world.record.attempt('slow reader', async () => {
    const reply = await sendOnce(world.main, `/measurements/${largest.id}/files/0`, {
      headers: authorization(world),
      slowly: 20,
    });
    world.record.expect(reply, from, 200);
    world.record.promise(
      served,
      reply.body.equals(largest.files[0]?.bytes ?? Buffer.alloc(0)),
      'a slow reader got other bytes',
    );
  });
  await pause(500, 1500);
}

const stopsAtOnce = 'A revoked token stops working at once, running transfers included';
// Two seconds are promised; a busy machine may take longer.
const maxMsAfterRevocation = 20_000;

/** Revokes a token during a transfer. */
export async function revokeWhileSending(world: World): Promise<void> {
  const { main, record, largest, secrets } = world;
  await record.attempt('revocation', async () => {
    const from = performance.now();
    const made = await sendOnce(main, '/api/v4/user/personal_access_tokens', {
      method: 'POST',
      window: true,
      body: '{"name":"short","scopes":["read_measurement"]}',
    });
    record.expect(made, from, 201);
    const { id, token } = JSON.parse(made.body.toString()) as { readonly id: number; readonly token: string };
    secrets.note('a token that is revoked', token);
    const headers = { authorization: `Bearer ${token}` };
    let revokedAt = 0;
    try {
      const sent = await sendOnce(main, `/measurements/${largest.id}/files/0`, {
        headers,
        slowly: 1,
        before: async () => {
          const reply = await sendOnce(main, `/api/v4/personal_access_tokens/${id}`, {
            method: 'DELETE',
            window: true,
          });
          record.expect(reply, from, 204);
          revokedAt = performance.now();
          world.revoked.push(token);
          const after = await sendOnce(main, `/measurements/${largest.id}/files/0`, {
            headers: { ...headers, range: 'bytes=0-9' },
          });
          record.promise(stopsAtOnce, after.status === 401, `a revoked token was answered with ${after.status}`);
          // Long enough to be cut while nothing is read.
          await pause(3000, 5000);
        },
      });
      if (sent.status === 200)
        record.promise(stopsAtOnce, false, 'a transfer went to its end after its token was revoked');
    } catch (error) {
      if (!(error instanceof Broken) || revokedAt === 0 || record.wasAway(from)) throw error;
      record.promise(
        stopsAtOnce,
        performance.now() - revokedAt < maxMsAfterRevocation,
        'a transfer went on long after its token was revoked',
      );
    }
  });
  await pause(500, 2000);
}
