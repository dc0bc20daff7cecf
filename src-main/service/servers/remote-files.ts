import { Worker } from 'node:worker_threads';
import type { RemoteFilePage } from '../contract/servers.ts';
import type { FetchSource } from '../fetching/engine/types.ts';
import { HttpProblem } from '../http/problem.ts';
import { workerFile } from '../worker-file.ts';
import { remoteProblem, type RemoteFailure } from './server-trouble.ts';

export interface RemoteFilesQuery {
  readonly source: FetchSource;
  readonly measurementId: string;
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

export interface RemoteFilesRequest extends RemoteFilesQuery {
  readonly id: number;
}

export type RemoteFilesReply =
  | { readonly id: number; readonly page: RemoteFilePage }
  | { readonly id: number; readonly failure: RemoteFailure }
  | { readonly id: number; readonly unexpected: string };

export interface RemoteFiles {
  /** A page of the files of a measurement elsewhere. @throws HttpProblem 502 when that server does not give them */
  page(query: RemoteFilesQuery): Promise<RemoteFilePage>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (page: RemoteFilePage) => void;
  readonly reject: (error: Error) => void;
}

const idleFor = 5 * 60_000;
// Two manifests of a million files.
const mostMemory = 2048;

/** Reads manifests in a thread of its own, which starts with the first question and ends, with all that it holds, when nobody has asked for a while. */
export function remoteFiles(idle = idleFor): RemoteFiles {
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let next = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const thread = new Worker(workerFile(import.meta.url, 'remote-files-worker'), {
      execArgv: [],
      name: 'remote-files',
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    const gone = (error: Error): void => (worker === thread ? drop(error) : undefined);
    thread.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', () => gone(new Error('the thread that reads manifests has ended')));
    thread.on('message', (reply: RemoteFilesReply) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('page' in reply) one?.resolve(reply.page);
      else one?.reject('failure' in reply ? remoteProblem(reply.failure) : new Error(reply.unexpected));
      if (waiting.size === 0) rest();
    });
    // It never keeps the service from ending.
    thread.unref();
    return thread;
  }

  function rest(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void (waiting.size === 0 && close()), idle).unref();
  }

  function drop(error: Error): void {
    worker = null;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  }

  async function close(): Promise<void> {
    clearTimeout(timer);
    const thread = worker;
    drop(new HttpProblem(503, 'The service is stopping.'));
    await thread?.terminate();
  }

  return {
    page: async (query) => {
      worker ??= start();
      const thread = worker;
      next += 1;
      const id = next;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const request: RemoteFilesRequest = { id, ...query };
        thread.postMessage(request);
      });
    },
    close,
  };
}
