import type Store from 'electron-store';
import type { Settings } from './settings.ts';

/**
 * Stores values that only spare the user some clicks. A failure is only logged, so that a window
 * can close when the disk is full.
 */
export function remember(store: Pick<Store<Settings>, 'set'>, some: Partial<Settings>): void {
  try {
    store.set(some);
  } catch (error) {
    console.error(`${Object.keys(some).join(', ')} could not be kept: ${String(error)}`);
  }
}
