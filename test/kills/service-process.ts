import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { FromService, StartOptions } from '../../src-main/service/process/host-protocol.ts';
import { asWindow, type Answer } from '../service/as-window.ts';
import { programEntry } from '../service/program-entry.ts';

/** The real service in a separate process, started as the shell starts it. */
export interface ServiceProcess {
  readonly url: string;
  /** Whether it has logged the removal of events because of a full disk. */
  madeRoom(): boolean;
  /** A request over the private socket; null if there was no response. */
  ask(method: string, url: string, body?: unknown): Promise<Answer | null>;
  /** Kills the process, and waits for its end. */
  kill(): Promise<void>;
  /** Stops it as the shell does. */
  stop(): Promise<void>;
}

export interface StartingService {
  readonly process: ChildProcess;
  /** Resolves when it is ready; null if it has ended before. */
  readonly ready: Promise<ServiceProcess | null>;
}

const root = path.resolve(import.meta.dirname, '../..');

/** Starts a service, which may be killed during its start. */
export function startServiceProcess(
  options: Pick<StartOptions, 'dataDir' | 'socketPath' | 'secret' | 'port'>,
): StartingService {
  rmSync(options.socketPath, { force: true });
  const child = fork(programEntry('service'), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, BENCHPORT_LOG: 'warn' },
  });
  let madeRoom = false;
  if (child.stderr) createInterface(child.stderr).on('line', (line) => (madeRoom ||= line.includes('nearly full')));
  const gone = once(child, 'exit');
  const whole: StartOptions = {
    ...options,
    host: '127.0.0.1',
    assetsDir: path.join(root, 'assets'),
    rendererDir: path.join(root, 'out/renderer'),
  };
  child.send({ type: 'start', options: whole });
  const ready = new Promise<ServiceProcess | null>((resolve, reject) => {
    child.on('message', (message: FromService) => {
      if (message.type === 'failed') reject(new Error(`the service failed: ${message.message}`));
      if (message.type !== 'ready') return;
      const socket = { socketPath: options.socketPath, launchSecret: options.secret };
      resolve({
        url: message.url,
        madeRoom: () => madeRoom,
        ask: async (method, url, body) => asWindow(socket, method, url, body).catch(() => null),
        kill: async () => {
          child.kill('SIGKILL');
          await gone;
        },
        stop: async () => {
          child.send({ type: 'stop' });
          await gone;
        },
      });
    });
    void gone.then(() => resolve(null));
  });
  return { process: child, ready };
}

/** A request to the TCP listener; null if there was no complete response. */
export async function askAt(
  url: string,
  method: string,
  options: { readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<{ readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string } | null> {
  return new Promise((resolve) => {
    const request = http.request(
      url,
      { method, agent: false, headers: { connection: 'close', ...options.headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('close', () =>
          resolve(
            response.complete
              ? { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }
              : null,
          ),
        );
        response.on('error', () => {});
      },
    );
    request.on('error', () => resolve(null));
    request.end(options.body);
  });
}
