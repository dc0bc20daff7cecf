import type { CopyRow } from '../store/copy-row.ts';
import { parseServerUrl, resolveWithin } from '../../http-client/server-url.ts';
import { uploadRequests } from '../../upload-client/upload-requests.ts';
import type { RunDeps } from './run-copy.ts';

const copiesAtOnce = 4;
const timeoutMs = 10_000;

/**
 * Has servers remove what they got of copies that were cancelled since. One that cannot be asked
 * removes it by itself, when nothing more has come for a week.
 */
export async function discardCancelled(
  deps: Pick<RunDeps, 'copies' | 'servers'>,
  isRunning: (id: number) => boolean,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    const rows = (await deps.copies.unfinished(copiesAtOnce)).filter(({ id }) => !isRunning(id));
    if (rows.length === 0 || stop.aborted) return;
    await Promise.all(
      rows.map(async (row) => {
        await discard(deps, row, AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])).catch(() => undefined);
        await deps.copies.progress(row.id, 0, null);
      }),
    );
  }
}

async function discard({ servers }: Pick<RunDeps, 'servers'>, row: CopyRow, signal: AbortSignal): Promise<void> {
  const server = await servers.byBaseUrl(row.base_url);
  const access = server && (await servers.source(server.id));
  if (!access || row.upload_url === null) return;
  const address = resolveWithin(parseServerUrl(access.baseUrl), row.upload_url);
  await uploadRequests(access.token, access.certificate)(address, { method: 'DELETE' }, signal);
}
