import cluster, { type Worker } from 'node:cluster';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CommandError, note, printJson, type Terminal } from '../support/terminal.ts';

const restartPauseMs = 1000;
/** Set for each worker: its number from 1. */
const numberVariable = 'BENCHPORT_WORKER';

/** Number of this worker from 1; null for a service that is a process of its own. */
export function workerNumber(environment: NodeJS.ProcessEnv): number | null {
  return cluster.isWorker ? Number(environment[numberVariable]) : null;
}

/** The value of `--workers`; `auto` is one for each core. */
export function workerCount(text: string): number {
  const count = text === 'auto' ? os.availableParallelism() : Number(/^\d{1,3}$/.test(text) ? text : Number.NaN);
  if (count >= 1 && count <= 256) return count;
  throw new CommandError('Give --workers a number from 1 to 256, or auto.', 2);
}

/** The folder and the name of one of several workers. */
export function ofWorker(number: number, dataDir: string, replica: string): { dataDir: string; replicaName: string } {
  return { dataDir: path.join(dataDir, 'workers', String(number)), replicaName: `${replica}-${number}` };
}

/** Tells the process that started the workers that this one accepts connections. */
export function tellListening(url: string): void {
  process.send?.({ listening: url });
}

/** Gives up the channel to the process that started the workers, which would keep this one alive. */
export function leaveWorkers(): void {
  cluster.worker?.disconnect();
}

/**
 * Runs workers that share one port until a signal stops them; one that ends by itself is started
 * again.
 *
 * @throws CommandError if a worker cannot start at all; it has told why.
 */
export async function superviseWorkers(terminal: Terminal, count: number): Promise<void> {
  const numbers = new Map<Worker, number>();
  const ready = new Set<number>();
  let stopping = false;
  let failed: (error: Error) => void = () => undefined;
  const failing = new Promise<never>((_resolve, reject) => (failed = reject));

  const start = (number: number): void => {
    const worker = cluster.fork({ [numberVariable]: String(number) });
    numbers.set(worker, number);
    worker.on('message', ({ listening }: { readonly listening: string }) => {
      const first = !ready.has(number) && ready.add(number).size === count;
      if (first) printJson(terminal, { event: 'listening', url: listening, pid: process.pid, workers: count });
    });
    worker.on('exit', (code, signal) => {
      numbers.delete(worker);
      if (stopping) return;
      if (!ready.has(number)) failed(new CommandError(`Worker ${number} did not start.`));
      else void restart(number, signal ?? `status ${code}`);
    });
  };
  const restart = async (number: number, why: string): Promise<void> => {
    note(terminal, `Worker ${number} ended (${why}); it is started again.`);
    await setTimeout(restartPauseMs);
    if (!stopping) start(number);
  };
  const stop = (): void => {
    // A second signal ends the workers at once.
    for (const worker of numbers.keys()) worker.process.kill(stopping ? 'SIGKILL' : 'SIGTERM');
    stopping = true;
  };
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        stop();
        resolve();
      });
  });
  for (let number = 1; number <= count; number += 1) start(number);
  await Promise.race([signalled, failing]).catch(async (error: unknown) => {
    stop();
    await allEnded(numbers);
    throw error;
  });
  await allEnded(numbers);
}

async function allEnded(numbers: ReadonlyMap<Worker, number>): Promise<void> {
  while (numbers.size > 0) await setTimeout(50);
}
