import type { FakeAccountOptions } from './fake-accounts.ts';
import type { FakeCaptureOptions } from './fake-captures.ts';
import type { FakeErrorOptions } from './fake-error-data.ts';
import type { FakeFetchOptions, FakeFetches } from './fake-fetches.ts';
import type { FakeFleetOptions } from './fake-fleet.ts';
import type { fakeHappenings, FakeHappeningOptions } from './fake-happenings.ts';
import type { FakeLocalOptions } from './fake-local.ts';
import type { FakeNotificationOptions } from './fake-notifications.ts';
import type { FakeServerOptions } from './fake-server-data.ts';

export interface FakeOptions extends FakeLocalOptions {
  readonly rendererDir: string;
  readonly measurements?: number;
  /** How many measurements were removed and can be restored. */
  readonly removed?: number;
  /** Number of files of each measurement. */
  readonly files?: number;
  readonly tokens?: boolean;
  readonly applications?: boolean;
  /** Long-lived access needs the password, which is `correct horse battery`. */
  readonly unconfirmed?: boolean;
  readonly needsSetup?: boolean;
  readonly door?: 'window' | 'browser';
  readonly signedIn?: boolean;
  /** Requests whose path starts like this fail with 500. */
  readonly failing?: string;
  readonly accounts?: FakeAccountOptions;
  readonly tracking?: FakeErrorOptions;
  readonly fetches?: FakeFetchOptions;
  readonly servers?: FakeServerOptions;
  readonly captures?: FakeCaptureOptions;
  readonly notifications?: FakeNotificationOptions;
  readonly happenings?: FakeHappeningOptions;
  readonly fleet?: FakeFleetOptions;
  readonly diskLow?: boolean;
  readonly clockAheadDays?: number;
  readonly lastEnd?: 'whole' | null;
}

export interface FakeService {
  readonly url: string;
  /** Requests other than reads, as `METHOD path body`. */
  readonly writes: string[];
  /** Reads, as `path?query`. */
  readonly reads: string[];
  /** Ends all event streams, as a restart does. */
  dropListeners(): void;
  emit(event: 'changed' | 'job' | 'rates' | 'new-error' | 'fetch' | 'incoming' | 'adding', data: unknown): void;
  readonly fetches: FakeFetches;
  /** Has something happen. */
  readonly happen: ReturnType<typeof fakeHappenings>['add'];
  /** Adds an error, as an SDK's event does. */
  addError(title: string): void;
  /** Refuses connections until restarted, as a crashed service does. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}
