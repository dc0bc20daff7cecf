import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { FromService, ToService } from '../../../src-main/service/process/host-protocol.ts';
import { serviceArguments, serviceVariables } from '../../../src-main/shell/service/service-arguments.ts';
import { isBuildStale } from '../build-state.ts';
import { loopDelayOf } from './loop-delay.ts';
import { endChild } from './node-peer.ts';
import { processTools, type Server } from './server.ts';

/** Our service as the desktop starts it: a separate process with everything enabled. */
export interface OurService extends Server {
  /** The code to run: the built bundle, or the sources if the build is stale. */
  readonly program: string;
  /** A request over the private socket. */
  throughWindow(
    method: string,
    url: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** p99 of the event loop's delay since the last call, milliseconds. */
  loopDelay(): Promise<number>;
}

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Starts our service on a data directory.
 *
 * @param checkout of which the build runs; of another one than this, always the build.
 */
export async function startOurService(
  dataDir: string,
  adminToken: string,
  nodeArguments: readonly string[],
  checkout = root,
): Promise<OurService> {
  const built = path.join(checkout, 'out/service/service.js');
  const bundle = checkout !== root || (existsSync(built) && !isBuildStale());
  const socketPath = path.join(dataDir, '..', 'run', 'window.sock');
  mkdirSync(path.dirname(socketPath), { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('hex');
  const child = fork(bundle ? built : path.join(root, 'src-main/service/main.ts'), [], {
    execArgv: [...serviceArguments, ...nodeArguments],
    env: { ...process.env, ...serviceVariables, NODE_ENV: 'production', BENCHPORT_LOG: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const start: ToService = {
    type: 'start',
    options: {
      dataDir,
      socketPath,
      secret,
      host: '127.0.0.1',
      port: 0,
      assetsDir: path.join(checkout, 'assets'),
      rendererDir: path.join(checkout, 'out/renderer'),
    },
  };
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} instead of getting ready`)));
    child.on('message', (message: FromService) => {
      if (message.type === 'ready') resolve(message.url);
      if (message.type === 'failed') reject(new Error(message.message));
    });
    child.send(start);
  });
  const port = Number(new URL(url).port);
  const headers = { host: `127.0.0.1:${port}`, 'x-benchport-launch-secret': secret };
  return {
    name: 'benchport',
    port,
    program: bundle ? 'built bundle' : 'sources',
    ...processTools(child.pid ?? 0),
    throughWindow: async (method, requestUrl, body) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const type =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const answer = await ask({ socketPath, method, path: requestUrl, headers: { ...headers, ...type } }, text);
      return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) };
    },
    loopDelay: async () => loopDelayOf(url, adminToken),
    stop: () => endChild(child),
  };
}

function ask(options: http.RequestOptions, body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
