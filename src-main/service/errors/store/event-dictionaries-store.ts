import { Buffer } from 'node:buffer';
import type { Database, Transaction } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import { compressAlone, compressText, asDictionary, unpackDictionary, type EventDictionary } from './stored-event.ts';

// Size of the cache of dictionaries; most events of a burst belong to a few errors.
const maxCachedBytes = 4 * 1024 * 1024;

/** An event compressed for its group. */
export interface PackedEvent {
  readonly payload: Uint8Array;
  /** The dictionary needed to decompress it; null when it was compressed alone. */
  readonly dictionary: CachedDictionary | null;
  /** False for large events, which the worker has compressed. */
  readonly mayBeDictionary: boolean;
}

/**
 * Dictionaries of groups: one event of each, so that the others are stored as their difference from
 * it.
 */
export interface EventDictionaries {
  /** Compresses an event outside of any transaction and drops its uncompressed form. */
  pack(projectId: number, event: PreparedEvent): Promise<PackedEvent>;
  /**
   * Call within the transaction that writes the event.
   *
   * @returns the payload to store in a group; only a marker if the event becomes the group's
   * dictionary.
   */
  payloadIn(groupId: number, packed: PackedEvent): Transaction<PackedPayload>;
}

/** The payload to store, and the bytes that it and a new dictionary take. */
export interface PackedPayload {
  readonly payload: Uint8Array;
  readonly bytes: number;
}

interface CachedDictionary {
  readonly key: string;
  readonly groupId: number;
  readonly json: EventDictionary;
}

const find = read<[number, number, Uint8Array], { groupId: number; sample: Buffer }>(
  `SELECT group_id AS "groupId", payload AS sample FROM error_groups JOIN error_samples ON group_id = error_groups.id
   WHERE project_id = ? AND version = ? AND key_hash = ?`,
);
const insert = write<[number, Uint8Array]>(
  'INSERT INTO error_samples (group_id, payload) VALUES (?, ?) ON CONFLICT DO NOTHING',
);

/** Event dictionaries. A dictionary is deleted with its group, never earlier. */
export function eventDictionaries(database: Database): EventDictionaries {
  const kept = new Map<string, CachedDictionary>();
  let bytes = 0;

  async function dictionaryOf(projectId: number, { group }: PreparedEvent): Promise<CachedDictionary | null> {
    const hash = Buffer.from(group.hash.buffer, group.hash.byteOffset, group.hash.byteLength);
    const key = `${projectId} ${group.version} ${hash.toString('latin1')}`;
    const known = kept.get(key);
    if (known) return known;
    const row = await database.one(find, projectId, group.version, hash);
    if (!row) return null;
    const json = readable(row.sample);
    if (!json) return null;
    const dictionary = { key, groupId: row.groupId, json };
    const meanwhile = kept.get(key);
    if (meanwhile) forget(meanwhile);
    bytes += dictionary.json.length;
    kept.set(key, dictionary);
    for (const oldest of kept.values()) {
      if (bytes <= maxCachedBytes) break;
      forget(oldest);
    }
    return dictionary;
  }

  function forget(dictionary: CachedDictionary): void {
    if (kept.get(dictionary.key) !== dictionary) return;
    kept.delete(dictionary.key);
    bytes -= dictionary.json.length;
  }

  return {
    pack: async (projectId, event) => {
      if (event.payload instanceof Uint8Array)
        return { payload: event.payload, dictionary: null, mayBeDictionary: false };
      const dictionary = await dictionaryOf(projectId, event);
      const text = typeof event.payload === 'string' ? event.payload : JSON.stringify(event.payload);
      const payload = compressText(text, dictionary?.json ?? null);
      event.payload = payload;
      return { payload, dictionary, mayBeDictionary: true };
    },
    *payloadIn(groupId, { payload, dictionary, mayBeDictionary }) {
      if (dictionary?.groupId === groupId || !mayBeDictionary) return { payload, bytes: payload.length };
      // The error was removed after the dictionary was cached, and its group has been created
      // again.
      if (dictionary !== null) forget(dictionary);
      const alone = dictionary === null ? payload : compressAlone(payload, dictionary.json);
      if ((yield* run(insert, groupId, alone)) === 0) return { payload: alone, bytes: alone.length };
      return { payload: asDictionary, bytes: asDictionary.length + alone.length };
    },
  };
}

/** Returns null when the dictionary is damaged; new events are then compressed alone. */
function readable(dictionary: Buffer): EventDictionary | null {
  try {
    return unpackDictionary(dictionary);
  } catch {
    return null;
  }
}
