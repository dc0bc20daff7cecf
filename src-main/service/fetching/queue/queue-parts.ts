import type { Announcer } from './announce-fetches.ts';
import type { AskAgain } from './ask-again.ts';
import type { FetchSettings } from '../../contract/fetches.ts';
import type { FetchEngine } from '../engine/types.ts';
import type { KnownServer } from './fetch-servers.ts';
import type { LiveFetch } from './live-fetch.ts';
import type { QueueNeeds } from './queue-needs.ts';
import type { Serial } from './serial.ts';
import type { ServerHolds } from './server-holds.ts';
import type { Waits } from './waits.ts';

type Handed = Pick<QueueNeeds, 'fetches' | 'journal' | 'servers' | 'clock' | 'log' | 'random' | 'room' | 'lock'>;

/** What the parts of the queue work on together. */
export interface QueueParts extends Handed {
  readonly files: QueueNeeds['fetchFiles'];
  /** The engine, started when it is asked for the first time. */
  readonly engine: () => FetchEngine;
  readonly live: Map<number, LiveFetch>;
  /** Notes how many bytes a run has received that is over. */
  readonly received: (bytes: number) => void;
  readonly waits: Waits;
  readonly holds: ServerHolds;
  readonly askAgain: AskAgain;
  readonly announce: Announcer;
  readonly serial: Serial;
  readonly settings: () => FetchSettings;
  readonly known: () => readonly KnownServer[];
  readonly stopping: () => boolean;
  /** Starts what may start, when everything before is done. */
  readonly wake: () => void;
}

/** Bytes that fetches which run now will still write to a disk, but for one. */
export function promised(live: ReadonlyMap<number, LiveFetch>, disk: string, except: number | null): number {
  return [...live.values()].filter((one) => one.disk === disk && one.row.id !== except && !one.verifying).reduce((sum, one) => sum + one.toCome, 0);
}
