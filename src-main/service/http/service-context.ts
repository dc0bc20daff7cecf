import type { Logger } from 'pino';
import type { Events } from '../common/events.ts';
import type { ChangeCounter } from '../database/change-counter.ts';
import type { Cluster } from '../database/cluster/cluster.ts';
import type { DiskSpaceMonitor } from '../database/disk-space.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Authentication } from './authentication.ts';

/**
 * The parts of the running service besides the stores of its modules. Operations and routes name
 * what they use of it with `Pick`.
 */
export interface ServiceContext {
  readonly auth: Authentication;
  /** Returns the address of the service for its users. */
  readonly baseUrl: () => string;
  readonly changes: ChangeCounter;
  readonly cluster: Cluster;
  readonly diskSpace: DiskSpaceMonitor;
  readonly events: Events;
  readonly log: Logger;
  readonly passwords: Passwords;
  readonly secrets: SecretBox;
  readonly settings: SettingsStore;
}
