import { createStore } from 'zustand/vanilla';

/** A recently opened measurement with its title, or a recently run command. */
export type Recent =
  | { readonly kind: 'measurement'; readonly id: string; readonly title: string }
  | { readonly kind: 'command'; readonly id: string };

const kept = 12;
const storageKey = (user: number): string => `benchport.recent.${user}`;

/** Keeps the valid entries of a stored list: storage may contain anything. */
export function soundRecent(stored: unknown): readonly Recent[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .flatMap((one: unknown): Recent[] => {
      const { kind, id, title } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
      if (typeof id !== 'string') return [];
      if (kind === 'measurement') return [{ kind, id, title: typeof title === 'string' ? title : id }];
      return kind === 'command' ? [{ kind, id }] : [];
    })
    .slice(0, kept);
}

/** The newest first, without duplicates. */
export function withRecent(list: readonly Recent[], added: Recent): readonly Recent[] {
  return [added, ...list.filter((one) => one.kind !== added.kind || one.id !== added.id)].slice(0, kept);
}

/**
 * The palette's entries before anything is typed; each user of a shared browser has a list of their
 * own.
 */
export function createRecentStore(storage: Storage | null) {
  let user = 0;
  return createStore<{
    list: readonly Recent[];
    readFor: (user: number) => void;
    add: (recent: Recent) => void;
    forget: (ids: readonly string[]) => void;
  }>()((set, get) => {
    const keep = (list: readonly Recent[]): void => {
      set({ list });
      try {
        storage?.setItem(storageKey(user), JSON.stringify(list));
      } catch {
        // Storage may be full or forbidden: the list then lasts until the window closes.
      }
    };
    return {
      list: [],
      readFor: (next) => {
        user = next;
        try {
          set({ list: soundRecent(JSON.parse(storage?.getItem(storageKey(next)) ?? 'null')) });
        } catch {
          set({ list: [] });
        }
      },
      add: (recent) => keep(withRecent(get().list, recent)),
      forget: (ids) => keep(get().list.filter((one) => one.kind !== 'measurement' || !ids.includes(one.id))),
    };
  });
}
