import type { Command } from 'commander';
import { setTimeout } from 'node:timers/promises';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { StartError } from '../../service/common/start-error.ts';
import { isWhole, newCopy } from '../../service/copies/add-copies.ts';
import { CopyQueue } from '../../service/copies/queue/copy-queue.ts';
import type { CopyRow } from '../../service/copies/store/copy-row.ts';
import { lockDataDirectory } from '../../service/database/lock.ts';
import { systemClock } from '../../service/fetching/queue/clock.ts';
import type { MeasurementWithOwner } from '../../service/measurements/store/measurements-store.ts';
import type { RemoteServerRow } from '../../service/servers/servers-store.ts';
import type { Services } from '../../service/services.ts';
import { requireMeasurement } from '../measurements/require-measurement.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { findServer } from '../support/find-server.ts';
import { byteBar } from '../support/progress-bar.ts';
import { refuseFacility } from '../support/refuse-facility.ts';
import { certificateOption, readToken, requireHttps } from '../support/server-options.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly to: string;
  readonly tokenFile?: string;
  readonly certificate?: string;
  readonly project?: string;
  readonly wait: boolean;
}

const lookEveryMs = 500;
const ended: ReadonlySet<CopyRow['state']> = new Set(['verified', 'failed', 'cancelled', 'asking', 'paused']);

/**
 * `benchport push ID --to SERVER`: keeps a copy of a measurement on another server. The running
 * service sends it, or this command where none runs.
 */
export function addPush(program: Command, terminal: Terminal): void {
  dataCommand(program, 'push', 'Keep a verified copy of a measurement on another server')
    .argument('<id>', 'id of the measurement')
    .requiredOption('--to <server>', 'name of a server in the list, or its base URL')
    .option(
      '--token-file <file>',
      'file with the access token for a server that is not in the list yet, or a new one; - reads standard input',
    )
    .option(...certificateOption)
    .option('--project <path>', 'project there whose members may read it')
    .option('--no-wait', 'add it to the queue of the running service and return')
    .addHelpText('after', examples('benchport push qmr-114 --to https://facility.lab.example --token-file token.txt'))
    .action(async (id: string, options: Options) => {
      refuseFacility(terminal, 'Use "benchport upload" to send files to another service.');
      await untilInterrupted('It goes on when Benchport runs.', async (signal) =>
        withServices(terminal, { ...options, library: true }, async (services) =>
          push(terminal, services, id, options, signal),
        ),
      );
    });
}

async function push(
  terminal: Terminal,
  services: Services,
  id: string,
  options: Options,
  signal: AbortSignal,
): Promise<void> {
  const measurement = await requireMeasurement(services, id);
  if (!isWhole(measurement))
    throw new CommandError(`${id} is not copied: not all of its files are as they were registered. Verify it first.`);
  const server = await serverOf(terminal, services, options);
  const copyId = await queued(services, measurement, server, options);
  const queue = options.wait ? queueHere(services) : null;
  try {
    const row = await follow(terminal, services, copyId, options.wait, signal);
    print(terminal, row, measurement, options);
  } finally {
    await queue?.end();
  }
}

/** The server in the list, which is added or gets the new token where one is given. */
async function serverOf(
  terminal: Terminal,
  services: Services,
  { to, tokenFile, certificate }: Options,
): Promise<RemoteServerRow> {
  const { servers } = services;
  const { known, baseUrl } = await findServer(services, to);
  if (tokenFile === undefined) {
    if (known) return known;
    throw new CommandError(`${to} is not in the list of servers: give its base URL and --token-file.`, 2);
  }
  if (!known && baseUrl === null) throw new CommandError(`${to} is neither a server in the list nor a base URL.`, 2);
  requireHttps(known?.base_url ?? to, certificate);
  const token = await readToken(terminal, tokenFile);
  const pinned = certificate === undefined ? {} : { certificate };
  const row = known
    ? await servers.update(known.id, { token, ...pinned })
    : await servers.create({
        name: new URL(to).host,
        base_url: baseUrl ?? to,
        certificate: certificate ?? null,
        token,
      });
  if (!row) throw new CommandError('The server was changed meanwhile. Try again.');
  return row;
}

/** @returns the id of the copy, which is in the queue unless it is verified already. */
async function queued(
  { copies, copyList }: Services,
  measurement: MeasurementWithOwner,
  server: RemoteServerRow,
  { project }: Options,
): Promise<number> {
  await copies.add([newCopy(measurement, server, project ?? null)], Date.now());
  const { rows } = await copyList.page({ filter: 'all', measurementId: measurement.id, offset: 0, limit: 200 });
  const row = rows.find(({ base_url: baseUrl }) => baseUrl === server.base_url);
  if (!row) throw new CommandError('The copy was removed from the list.');
  // A second command is the wish to go on.
  await copies.applyToAll('resume', [row.id], Date.now());
  return row.id;
}

/** Sends what is queued in this process where no service does; null where one runs. */
function queueHere(services: Services): { end(): Promise<void> } | null {
  let unlock;
  try {
    unlock = lockDataDirectory(services.config.dataDir);
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
  const queue = new CopyQueue({ ...services, clock: systemClock, random: Math.random });
  const started = queue.start();
  return {
    end: async () => {
      await started;
      await queue.stop();
      unlock();
    },
  };
}

async function follow(
  terminal: Terminal,
  { copies }: Services,
  id: number,
  waits: boolean,
  signal: AbortSignal,
): Promise<CopyRow> {
  const bar = byteBar(terminal);
  let said: string | null = null;
  try {
    for (;;) {
      const row = await copies.byId(id);
      if (!row) throw new CommandError('The copy was removed from the list.');
      if (!waits || ended.has(row.state)) return row;
      if (row.state === 'waiting' && row.message !== said) {
        bar.clear();
        note(terminal, row.message ?? '');
        said = row.message;
      }
      bar.update({ bytesDone: row.bytes_done, bytesTotal: row.bytes_total });
      await setTimeout(lookEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  } finally {
    bar.clear();
  }
}

function print(terminal: Terminal, row: CopyRow, measurement: MeasurementWithOwner, { json, wait }: Options): void {
  const { server_name: server, state, message } = row;
  if (json) printJson(terminal, { id: row.measurement_id, server: row.base_url, state, message, receipt: row.receipt });
  if (state === 'verified') {
    const size = `${countOf(measurement.file_count, 'file')}, ${formatBytes(measurement.total_bytes)}`;
    if (!json) printLine(terminal, `${row.measurement_id}: ${size}, copied to ${server}, with its receipt`);
  } else if (wait)
    throw new CommandError(`${row.measurement_id} is not copied to ${server}: ${message ?? `it is ${state}`}`);
  else if (!json) printLine(terminal, `${row.measurement_id}: will be copied to ${server}`);
}
