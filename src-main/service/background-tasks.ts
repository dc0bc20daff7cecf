import type { LastEnd } from './maintenance/end-mark.ts';
import { whileLeading } from './database/cluster/while-leading.ts';
import type { Services } from './services.ts';
import type { TokenUses } from './auth/token-uses.ts';
import { startUpkeep } from './upkeep.ts';

const flushUsesEveryMs = 5000;

/**
 * Starts the periodic work of the running service.
 *
 * @param last how the previous run ended, which decides whether the database is checked and the
 * transfers left open are ended.
 * @returns a function that stops the work and waits for what is under way.
 */
export function startBackgroundTasks(services: Services, uses: TokenUses, last: LastEnd): () => Promise<void> {
  const { log } = services;
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  const flushUses = setInterval(
    () => void uses.flush().catch(warn('last use of tokens not written')),
    flushUsesEveryMs,
  );
  const stopUpkeep = whileLeading(services.cluster, () => startUpkeep(services));
  const stopWatchingDiskSpace = services.diskSpace.watch();
  services.endCheck.after(last);
  const stopping = new AbortController();
  const leftOver =
    last === 'clean'
      ? null
      : services.transfers.endLeftOver(Date.now(), stopping.signal).catch(warn('transfers of the last run not ended'));
  return async () => {
    stopping.abort();
    clearInterval(flushUses);
    stopWatchingDiskSpace();
    services.endCheck.stop();
    await stopUpkeep();
    await leftOver;
  };
}
