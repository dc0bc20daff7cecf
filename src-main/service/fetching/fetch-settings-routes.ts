import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { FetchFolder, FetchFolderQuery, FetchSettings } from '../contract/fetch-settings.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { freeBytes } from '../common/free-bytes.ts';
import { HttpProblem } from '../common/problem.ts';
import type { FetchQueue } from './queue/fetch-queue.ts';

/** Routes of the fetch settings and the folder check, for the owner's window only. */
export function registerFetchSettingsRoutes(
  app: App,
  { auth, fetchQueue: queue }: { readonly auth: Authentication; readonly fetchQueue: FetchQueue },
): void {
  const guarded = windowRoutes(auth);

  app.get(
    '/api/v4/local/fetch-settings',
    guarded({
      summary: 'How fetching behaves',
      operationId: 'getFetchSettings',
      response: { 200: FetchSettings },
    }),
    async () => queue.settings(),
  );
  app.put(
    '/api/v4/local/fetch-settings',
    guarded({
      summary: 'Change how fetching behaves',
      operationId: 'setFetchSettings',
      body: FetchSettings,
      response: { 200: FetchSettings },
    }),
    async ({ body }) => {
      await queue.setSettings(body);
      return queue.settings();
    },
  );
  app.get(
    '/api/v4/local/fetch-folder',
    guarded({
      summary: 'Whether a folder is there, and its room',
      operationId: 'getFetchFolder',
      querystring: FetchFolderQuery,
      response: { 200: FetchFolder },
    }),
    async ({ query }) => folderState(query.path),
  );
}

async function folderState(folder: string): Promise<FetchFolder> {
  if (!path.isAbsolute(folder)) throw new HttpProblem(422, 'Give the absolute path of a folder.', { type: 'bad-path' });
  const succeeds = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    );
  const exists = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return {
    path: folder,
    exists,
    writable: exists && (await succeeds(access(folder, constants.W_OK | constants.X_OK))),
    free_bytes: exists ? await freeBytes(folder) : null,
  };
}
