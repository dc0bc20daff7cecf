// Wrappers of stores that also count, which keeps counting out of the operations. Slow or frequent
// operations are counted where they are written in batches.
import type { SignInFailuresStore } from '../accounts/store/sign-in-failures-store.ts';
import type { AuditStore } from '../audit/audit-store.ts';
import type { TransfersStore } from '../transfers/transfers-store.ts';
import type { TransferKind } from '../transfers/transfer-rows.ts';
import type { EventsStore } from '../errors/store/events-store.ts';
import type { IngestCountsStore } from '../errors/store/ingest-counts-store.ts';
import type { OAuthStore } from '../oauth/store/oauth-store.ts';
import type { Counters } from '../metrics/counters.ts';

/** Counts audit entries: every action, sign-ins by method, personal access tokens. */
export function countAudit(store: AuditStore, counters: Counters): AuditStore {
  return {
    record: async (event) => {
      await store.record(event);
      counters.add('audit', [event.action]);
      if (event.action === 'user.sign-in') counters.add('sign_ins', [event.detail ?? 'password']);
      if (event.action === 'token.create' || event.action === 'token.rotate') counters.add('tokens', ['personal']);
    },
  };
}

/** Counts wrong passwords and codes when they are recorded. */
export function countSignInFailures(store: SignInFailuresStore, counters: Counters): SignInFailuresStore {
  return {
    ...store,
    record: async (userId, what, place, now) => {
      counters.add('sign_in_failures', [what]);
      return store.record(userId, what, place, now);
    },
  };
}

/** Counts tokens by grant, and refused requests. */
export function countTokens(store: OAuthStore, counters: Counters): OAuthStore {
  const refused = (grant: string, why: string) => counters.add('token_refusals', [grant, why]);
  return {
    ...store,
    issueImplicit: async (approval) => {
      const token = await store.issueImplicit(approval);
      counters.add('tokens', ['implicit']);
      return token;
    },
    issueDirectly: async (input) => {
      const issued = await store.issueDirectly(input);
      if (issued) counters.add('tokens', [input.kind]);
      return issued;
    },
    issueDirectlyNow: (input) => {
      const issued = store.issueDirectlyNow(input);
      if (issued) counters.add('tokens', [input.kind]);
      return issued;
    },
    exchangeCode: async (presented) => {
      const exchanged = await store.exchangeCode(presented);
      if (exchanged.ok) counters.add('tokens', ['code']);
      else refused('code', exchanged.why);
      return exchanged;
    },
    refresh: async (presented) => {
      const refreshed = await store.refresh(presented);
      if (refreshed.ok) counters.add('tokens', ['refresh']);
      else refused('refresh', refreshed.why);
      return refreshed;
    },
  };
}

/**
 * Counts transfers when their rows are written: four times a second, and for long ones every few
 * seconds.
 */
export function countTransfers(store: TransfersStore, counters: Counters): TransfersStore {
  const running = new Map<number, { readonly what: TransferKind; sent: number }>();
  return {
    ...store,
    write: async (batch) => {
      const ids = await store.write(batch);
      for (const { what, outcome, bytesSent, requests } of [
        ...batch.ended,
        ...batch.repeated.map((one) => ({ ...one, ...one.added })),
      ]) {
        counters.add('transfers', [what, outcome ?? 'unknown'], requests);
        counters.add('transfer_bytes', [what], bytesSent);
      }
      for (const [index, { what, bytesSent }] of batch.started.entries()) {
        counters.add('transfer_bytes', [what], bytesSent);
        const id = ids.started[index];
        if (id !== undefined) running.set(id, { what, sent: bytesSent });
      }
      for (const { id, endedAt, bytesSent, outcome } of batch.progress) {
        const one = running.get(id);
        if (!one) continue;
        counters.add('transfer_bytes', [one.what], bytesSent - one.sent);
        one.sent = bytesSent;
        if (endedAt === null) continue;
        counters.add('transfers', [one.what, outcome ?? 'unknown']);
        running.delete(id);
      }
      return ids;
    },
  };
}

/** Counts stored and duplicate events. */
export function countEvents(store: EventsStore, counters: Counters): EventsStore {
  return {
    add: async (one) => {
      const stored = await store.add(one);
      counters.add('events', [stored.outcome === 'stored' ? 'accepted' : 'duplicate']);
      return stored;
    },
  };
}

/** Counts dropped events, which are written once a second. */
export function countDroppedEvents(store: IngestCountsStore, counters: Counters): IngestCountsStore {
  return {
    add: async (counts) => {
      await store.add(counts);
      for (const { outcome, count } of counts) counters.add('events', [outcome], count);
    },
  };
}
