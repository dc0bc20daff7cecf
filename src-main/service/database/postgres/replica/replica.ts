import type { Client, Pool } from 'pg';
import type { ChangeCounter } from '../../change-counter.ts';
import type { Cluster, ReplicaIdentity } from '../../cluster/cluster.ts';
import { AccessChanges, lookTimeoutMs } from './access-changes.ts';
import { confirmChanges } from './confirm-changes.ts';
import { RepeatedLooks } from './repeated-looks.ts';
import { LastingConnection } from './lasting-connection.ts';
import { Subscribers } from '../../../common/subscribers.ts';
import { Lease, type ClusterProcess } from './lease.ts';

const pruneEveryMs = 60_000;
// Changes are kept for longer than any transaction lasts, and any replica is behind; dead replicas for
// longer than any grace.
const removals = [
  'DELETE FROM access_changes WHERE at < milliseconds_now() - 600000',
  'DELETE FROM replicas WHERE ended_at < milliseconds_now() - 7200000',
];
const accessChannel = 'benchport_access';
const messageChannel = 'benchport_messages';

export interface ReplicaOptions {
  readonly reading: Pool;
  /** Null for a process that takes no lease. */
  readonly process: ClusterProcess | null;
  /** Make clients that are not connected yet; the second one for LISTEN. */
  readonly connect: () => Client;
  readonly connectToListen: () => Client;
  /** Told of failures to look or to listen. */
  readonly onError: (error: unknown, message: string) => void;
}

/** This process among the replicas of a PostgreSQL database. */
export interface Replica {
  readonly cluster: Cluster;
  readonly changes: ChangeCounter;
  /** @throws when the database cannot be read. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sees the changes of access by other replicas: at once by a notification, and by a look each half
 * second, should notifications be lost. Each look also renews the lease of this replica.
 */
export function createReplica(options: ReplicaOptions): Replica {
  const messages = new Subscribers<string>();
  const losses = new Subscribers<ReplicaIdentity>();
  const control = new LastingConnection({
    connect: options.connect,
    onLost: (error) => options.onError(error, 'a connection to the database failed'),
  });
  const changes = new AccessChanges(control);
  const lease = new Lease(control, options.process, (identity) => losses.tell(identity));
  const look = async (): Promise<void> => {
    await lease.renew(await changes.look());
    changes.confirm();
  };
  const looks = new RepeatedLooks(look, options.onError);
  const own = (text: string): boolean => text.startsWith(`${lease.identity?.id ?? 0} `);
  const listener = new LastingConnection({
    connect: options.connectToListen,
    prepare: async (client) => {
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === accessChannel) void looks.now();
        else if (!own(payload)) messages.tell(payload.slice(payload.indexOf(' ') + 1));
      });
      await client.query(`LISTEN ${accessChannel}; LISTEN ${messageChannel}`);
      // Changes between the last look and LISTEN.
      void looks.now();
    },
    onLost: (error) => options.onError(error, 'notifications of the database are lost'),
  });
  const prune = (): void => {
    for (const text of removals)
      control
        .query({ text, query_timeout: lookTimeoutMs })
        .catch((error: unknown) => options.onError(error, 'old changes of access were not removed'));
  };
  let pruning: NodeJS.Timeout | null = null;

  return {
    changes,
    cluster: {
      replica: () => (lease.serves ? lease.identity : null),
      leaseHolder: () => lease.identity,
      live: () => lease.live,
      leads: () => lease.leads,
      accessAgeMs: () => changes.ageMs(),
      lookForChanges: async () => looks.now(),
      clockAheadMs: () => lease.clockAheadMs,
      confirmChanges: async (graceMs) => confirmChanges(options.reading, graceMs),
      notify: (text) => {
        const values = [messageChannel, `${lease.identity?.id ?? 0} ${text}`];
        // Apart from the looks, which must not wait behind messages.
        options.reading
          .query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values })
          .catch((error: unknown) => options.onError(error, 'a message to other replicas was not sent'));
      },
      onNotification: (heard) => messages.add(heard),
      onLeaseLost: (lost) => losses.add(lost),
    },
    start: async () => {
      await look();
      looks.begin();
      listener.keep();
      pruning = setInterval(() => lease.leads && prune(), pruneEveryMs);
    },
    close: async () => {
      if (pruning !== null) clearInterval(pruning);
      await looks.end();
      await lease.end().catch(() => undefined);
      await Promise.all([listener.close(), control.close()]);
    },
  };
}
