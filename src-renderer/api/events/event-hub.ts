import type { Connection, openEventStream, StreamEventName } from './event-stream.ts';

/**
 * Messages from the hub to a page. A position is the last event that the page has received, which
 * it sends when it joins again; null leaves it unchanged.
 */
export type HubMessage =
  | { readonly kind: 'connection'; readonly state: Connection; readonly position: string | null }
  | { readonly kind: 'event'; readonly name: StreamEventName; readonly data: string; readonly position: string }
  /** Events were missed: everything on screen may be outdated. */
  | { readonly kind: 'gap'; readonly position: string };

/**
 * Messages from a page to the hub of a worker. A visible page joins repeatedly, so that the hub can
 * detect one that crashed.
 */
export type PageMessage = { readonly kind: 'join'; readonly position: string | null } | { readonly kind: 'leave' };

interface Member {
  heardAt: number;
  missed: boolean;
}

/** Events that are valid for the current second only and need no replay. */
const passing = new Set<StreamEventName>(['rates', 'incoming', 'adding', 'heartbeat']);

/**
 * Shares one event stream among pages: open while at least one page is joined. `Key` is the hub's
 * means of sending to a page.
 */
export function createEventHub<Key>(
  openStream: (...of: Parameters<typeof openEventStream>) => () => void,
  send: (to: Key, message: HubMessage) => void,
) {
  const members = new Map<Key, Member>();
  let close: (() => void) | null = null;
  let state: Connection = 'connecting';
  /** Identifies the stream and counts its events: equal positions mean that no event was missed. */
  let stream = '';
  let count = 0;
  const position = (): string => `${stream}:${count}`;

  function toAll(message: HubMessage): void {
    for (const key of members.keys()) send(key, message);
  }

  function begin(): void {
    stream = crypto.randomUUID === undefined ? String(Math.random()) : crypto.randomUUID();
    count = 0;
  }

  function openAgain(): void {
    begin();
    close = openStream({
      connection: (next) => {
        state = next;
        for (const [key, member] of members) tellConnection(key, member);
      },
      event: (name, data) => {
        if (!passing.has(name)) count += 1;
        toAll({ kind: 'event', name, data, position: position() });
      },
      gap: () => {
        begin();
        for (const [key, member] of members) tellGap(key, member);
      },
    });
  }

  function tellConnection(key: Key, member: Member): void {
    send(key, { kind: 'connection', state, position: state === 'open' && !member.missed ? position() : null });
    if (state === 'open' && member.missed) tellGap(key, member);
  }

  function tellGap(key: Key, member: Member): void {
    member.missed = false;
    send(key, { kind: 'gap', position: position() });
  }

  function leave(key: Key): void {
    members.delete(key);
    if (members.size > 0 || close === null) return;
    close();
    close = null;
  }

  return {
    /**
     * @param known the position up to which this page is up to date; null for a page that is still
     * loading.
     */
    join(key: Key, known: string | null, now: number): void {
      const before = members.get(key);
      if (before !== undefined) {
        before.heardAt = now;
        return;
      }
      const member: Member = { heardAt: now, missed: known !== null && (close === null || known !== position()) };
      members.set(key, member);
      if (close === null) openAgain();
      else tellConnection(key, member);
    },
    leave,
    /**
     * Removes pages that were silent since then: a message port does not report that its page
     * crashed.
     */
    dropSilent(since: number): void {
      for (const [key, { heardAt }] of members) if (heardAt < since) leave(key);
    },
  };
}
