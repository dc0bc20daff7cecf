import { createWorkerClient } from '../workers/worker-client.ts';
import type { RemoteFilePage } from '../contract/servers.ts';
import type { ListedArchive } from '../fetching/engine/manifest/listed-archive.ts';
import type { ServerAccess } from '../http-client/http-client.ts';
import { HttpProblem } from '../common/problem.ts';
import { workerFile } from '../workers/worker-file.ts';
import { remoteProblem, type RemoteFailure } from './server-failure.ts';

export interface RemoteFilesQuery {
  readonly source: ServerAccess;
  readonly measurementId: string;
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

export type RemoteFilesReply = { readonly page: RemoteFilePage } | { readonly failure: RemoteFailure };

export type ListedArchiveReply = { readonly archive: ListedArchive } | { readonly failure: RemoteFailure };

/** The methods of the worker. */
export interface RemoteFilesMethods {
  archive(source: ServerAccess, measurementId: string): ListedArchiveReply;
  page(query: RemoteFilesQuery): RemoteFilesReply;
}

export interface RemoteFiles {
  /**
   * A page of the files of a remote measurement. @throws HttpProblem 502 when the server does not
   * provide them.
   */
  page(query: RemoteFilesQuery): Promise<RemoteFilePage>;
  /** The archive that follows from a manifest as it is now. @throws HttpProblem 502 as above. */
  archive(source: ServerAccess, measurementId: string): Promise<ListedArchive>;
  close(): Promise<void>;
}

const idleMs = 5 * 60_000;
// Megabytes: enough for two manifests of a million files.
const maxHeapMb = 2048;

/**
 * Reads manifests in a worker thread, which starts with the first request and is ended, freeing its
 * memory, when idle.
 */
export function remoteFiles(idle = idleMs): RemoteFiles {
  const file = workerFile(import.meta.url, 'remote-files-worker');
  const thread = createWorkerClient<RemoteFilesMethods>({ file, name: 'remote-files', maxHeapMb, idleMs: idle }, {});
  return {
    page: async (query) => {
      const reply = await thread.call('page', [query]);
      if ('failure' in reply) throw remoteProblem(reply.failure);
      return reply.page;
    },
    archive: async (source, measurementId) => {
      const reply = await thread.call('archive', [source, measurementId]);
      if ('failure' in reply) throw remoteProblem(reply.failure);
      return reply.archive;
    },
    close: async () => thread.close(new HttpProblem(503, 'The service is stopping.')),
  };
}
