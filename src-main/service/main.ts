// The entry of the service as a separate process, started and supervised by the desktop shell.
import { hostLink } from './process/host-link.ts';
import type { FromService, StartOptions } from './process/host-protocol.ts';
import { logLevel } from './logging/logging.ts';
import { programVersion } from './process/program-files.ts';
import { startService, type RunningService } from './service.ts';
import { StartError } from './common/start-error.ts';

// Below the five seconds after which the shell kills the process.
const graceMs = 4000;

const link = hostLink();
let starting: Promise<RunningService> | null = null;
let running: RunningService | null = null;
let stopping = false;

async function start(options: StartOptions): Promise<void> {
  const { socketPath, secret, ...rest } = options;
  const version = programVersion(import.meta.dirname);
  starting = startService({
    ...rest,
    baseUrl: null,
    window: { socketPath, secret },
    restart: () => link.send({ type: 'restart' }),
    progress: (message) => link.send({ type: 'progress', message }),
    failed: (error) => void fail(error),
    version,
    logLevel: logLevel(process.env),
  });
  try {
    const service = await starting;
    running = service;
    if (!stopping) link.send({ type: 'ready', url: service.url, socketPath, version });
  } catch (error) {
    end(
      { type: 'failed', code: error instanceof StartError ? error.code : 'unexpected', message: messageOf(error) },
      1,
    );
  }
}

/** Called when the window's process is gone; one that quits announces it before. */
async function orphaned(): Promise<void> {
  if (!stopping) await running?.parentGone().catch(() => {});
  await stop();
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  try {
    await (await starting)?.stop(graceMs);
    end({ type: 'stopped' }, 0);
  } catch (error) {
    console.error(error);
    end({ type: 'stopped' }, 1);
  }
}

/** Ends the process, because the data can no longer be used. */
async function fail(error: StartError): Promise<void> {
  if (stopping) return;
  stopping = true;
  link.send({ type: 'failed', code: error.code, message: error.message });
  await (await starting)?.stop(0);
  process.exit(1);
}

/**
 * Sends the last message and ends. The message leaves through a pipe, and the delay lets it get
 * there.
 */
function end(last: FromService, status: number): void {
  link.send(last);
  setTimeout(() => process.exit(status), 50);
}

function messageOf(error: unknown): string {
  if (!(error instanceof StartError)) console.error(error);
  return error instanceof Error ? error.message : String(error);
}

link.onMessage((message) => {
  if (message.type === 'stop') void stop();
  else if (message.type === 'power') running?.services.power.tell(message.event);
  else if (starting === null && !stopping) void start(message.options);
});
link.onClose(() => void orphaned());
// Only observes: the process still ends as it would.
process.on('uncaughtExceptionMonitor', (error) => running?.fail(error));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

if (link.kind === 'none') {
  console.error('This program is started by the Benchport window. To run the service alone: benchport serve');
  process.exitCode = 2;
}
