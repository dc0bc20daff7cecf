import type { RemovedStage } from './removed-states.ts';

/** A removed measurement; times in milliseconds since 1970. */
export interface RemovedRow {
  readonly id: number;
  /** The id under which its rows are kept. */
  readonly kept_id: string;
  readonly measurement_id: string;
  readonly owner_id: number;
  readonly stage: RemovedStage;
  readonly state: 'available' | 'degraded';
  readonly removed_at: number;
  readonly removed_by: number | null;
  readonly expires_at: number;
  /** Whether the object storage says that it was removed. */
  readonly marked: 0 | 1;
  readonly title: string;
  readonly storage: 'reference' | 'library';
  readonly object_key: string | null;
  readonly file_count: number;
  readonly total_bytes: number;
  readonly owner_username: string;
  readonly owner_name: string;
  /** Null for the command line, and for a user who is gone. */
  readonly removed_by_username: string | null;
}

export interface RemovedListing {
  /** Null for those of all owners. */
  readonly ownerId: number | null;
  /** Null for all ids. */
  readonly measurementId: string | null;
  readonly limit: number;
  readonly offset: number;
}

/** Result of putting a measurement aside: its number, or why nothing was begun. */
export type Kept =
  | { readonly outcome: 'kept'; readonly number: number }
  /** There is none, its registration is not complete, or it is being restored. */
  | { readonly outcome: 'absent' | 'unfinished' | 'restoring' };

/** Result of beginning to restore. */
export type Restoring = 'begun' | 'absent' | 'not-kept' | 'id-taken';

/** Keeps removed measurements until they are restored or purged. */
export interface RemovedStore {
  byNumber(number: number): Promise<RemovedRow | null>;
  /** The newest first, without those that are being restored or purged. */
  list(listing: RemovedListing): Promise<{ readonly rows: readonly RemovedRow[]; readonly total: number }>;
  /** Hides a measurement and begins to keep it under another id, or finds the removal that was begun. */
  keep(removal: {
    readonly measurementId: string;
    readonly keptId: string;
    readonly by: number | null;
    readonly now: number;
    readonly expiresAt: number;
  }): Promise<Kept>;
  /** Puts a batch of files aside. @returns whether there may be more. */
  putAside(number: number, limit: number): Promise<boolean>;
  /** Frees the id of a measurement whose files are all put aside. */
  settle(number: number): Promise<void>;
  /** Reserves the id that it had. */
  beginRestoring(number: number): Promise<Restoring>;
  /** Puts a batch of files back. @returns whether there may be more. */
  putBack(number: number, limit: number): Promise<boolean>;
  /** Makes it visible to its readers again. @returns false when it is not being restored any more. */
  finishRestoring(number: number): Promise<boolean>;
  /** @returns false when it is not kept any more. */
  beginPurging(number: number): Promise<boolean>;
  /** Those whose work is to be continued or whose time is over, from a number on. */
  due(now: number, after: number, limit: number): Promise<readonly RemovedRow[]>;
  /** Those of the object storage that are not marked there, from a number on. */
  unmarked(after: number, limit: number): Promise<readonly RemovedRow[]>;
  /** Notes whether it is marked. @returns false when it is not kept any more. */
  setMarked(number: number, marked: boolean): Promise<boolean>;
  /** Whether a measurement that was not removed uses an object. */
  isObjectUsed(key: string): Promise<boolean>;
  /** Whether a removed measurement uses an object. */
  isObjectKept(key: string): Promise<boolean>;
  /** Whether the rows of a measurement are being put aside or back. */
  isMoving(measurementId: string): Promise<boolean>;
}
