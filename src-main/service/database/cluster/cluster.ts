/** A replica that is not heard of for this long is dead to the others. */
export const leaseMs = 5000;

/** A clock that is further from the database's than this is wrong: its machine gets no requests, and does not lead. */
export const maxClockMs = 1000;

/** A process that serves the database beside others. */
export interface ReplicaIdentity {
  /** Never given to another process; a new one is taken when the lease was lost. */
  readonly id: number;
  readonly name: string;
}

/** A replica that may still act on access that was taken away. */
export interface UnconfirmedReplica {
  readonly name: string;
  /** Milliseconds since 1970: it last read changes of access then. */
  readonly seenAt: number;
}

/** State of this process among those that serve one database. */
export interface Cluster {
  /** Null for a database that one process serves alone, and for a command. */
  readonly replica: () => ReplicaIdentity | null;
  /** By which others know whose work this process has begun; a command has one too. */
  readonly leaseHolder: () => ReplicaIdentity | null;
  /** Processes that serve the database now, this one included. */
  readonly live: () => number;
  /** Whether this process does what one process does for all, such as retention. */
  readonly leads: () => boolean;
  /** Milliseconds since changes of access by others were last read; 0 for one process alone. */
  readonly accessAgeMs: () => number;
  /** Reads them now; resolves also when that fails. */
  readonly lookForChanges: () => Promise<void>;
  /** Milliseconds by which the clock of this machine is ahead of the database's, as last measured. */
  readonly clockAheadMs: () => number;
  /**
   * Waits until all live replicas have read the changes of access that are committed now.
   *
   * @param graceMs for which a replica without the database goes on with running transfers.
   * @returns those that had not after two seconds, and dead ones within their grace, which may only be
   *   cut off.
   */
  readonly confirmChanges: (graceMs: number) => Promise<readonly UnconfirmedReplica[]>;
  /** Sends a text below 8 KB to the other replicas; one that is not connected misses it. */
  readonly notify: (text: string) => void;
  /** @returns a function that ends the subscription. */
  readonly onNotification: (listener: (text: string) => void) => () => void;
  /**
   * Calls a listener when this process was taken for dead, so that others ended what it did.
   *
   * @returns a function that ends the subscription.
   */
  readonly onLeaseLost: (listener: (lost: ReplicaIdentity) => void) => () => void;
}

const unsubscribe = (): void => undefined;

/** One process alone. */
export const singleProcess: Cluster = {
  replica: () => null,
  leaseHolder: () => null,
  live: () => 1,
  leads: () => true,
  accessAgeMs: () => 0,
  lookForChanges: async () => undefined,
  clockAheadMs: () => 0,
  confirmChanges: async () => [],
  notify: () => undefined,
  onNotification: () => unsubscribe,
  onLeaseLost: () => unsubscribe,
};
