import type Store from 'electron-store';
import type { Settings } from './settings.ts';

/** Keeps what only spares the user some clicks: also where the disk is full a window has to close. */
export function remember(store: Pick<Store<Settings>, 'set'>, some: Partial<Settings>): void {
  try {
    store.set(some);
  } catch (error) {
    console.error(`${Object.keys(some).join(', ')} could not be kept: ${String(error)}`);
  }
}
