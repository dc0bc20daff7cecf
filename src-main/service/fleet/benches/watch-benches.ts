import { uptime } from 'node:os';
import type { Logger } from 'pino';
import { repeatedly } from '../../common/repeatedly.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import { lookEveryMs, SilenceWatch } from '../silence/silence-watch.ts';
import type { Moment } from '../silence/steady-time.ts';
import type { FleetStores } from '../store/stores.ts';

export interface WatchBenchesDeps extends Pick<FleetStores, 'benches'> {
  readonly settings: SettingsStore;
  readonly log: Pick<Logger, 'warn'>;
  readonly changed: () => void;
}

const setting = 'fleet.listened_until';
const storeEveryLooks = 6;

/**
 * Looks again and again whether benches became silent; one process does so for all.
 *
 * @returns a function that ends it.
 */
export function watchBenches(deps: WatchBenchesDeps): () => Promise<void> {
  const { benches, settings, log, changed } = deps;
  let watch: SilenceWatch | null = null;
  let looks = 0;
  return repeatedly(
    lookEveryMs,
    async () => {
      const moment = momentNow();
      // Read first: without the database nobody is heard, and nothing is concluded.
      const sightings = await benches.sightings();
      watch ??= new SilenceWatch(moment, Number((await settings.get(setting)) ?? moment.wallMs));
      const judgements = await watch.look(sightings, moment, async (ids) => benches.habits(ids));
      if (judgements.length > 0 && (await benches.judge(judgements, Math.round(watch.now)))) changed();
      if (sightings.length > 0 && looks % storeEveryLooks === 0) await settings.set(setting, String(moment.wallMs));
      looks += 1;
    },
    (error) => log.warn({ err: error }, 'benches could not be looked at'),
  );
}

function momentNow(): Moment {
  return { wallMs: Date.now(), uptimeMs: uptime() * 1000 };
}
