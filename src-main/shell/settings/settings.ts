import Store from 'electron-store';
import type { Theme, UpdateSwitches } from '../../../src-preload/bridge.ts';
import type { NoticeKind } from '../notices/notice-words.ts';
import type { Bounds } from './window-bounds.ts';

/**
 * Settings of the desktop itself. All other settings are in the service's database; no secret is
 * stored here.
 */
export interface Settings {
  readonly theme?: Theme;
  readonly window?: { readonly bounds: Bounds; readonly maximized: boolean };
  /** Whether closing the window leaves Benchport running; absent until the user was asked. */
  readonly closeToTray?: boolean;
  readonly keepAwake?: boolean;
  /** Kinds added in later versions are missing in older files. */
  readonly notifications?: Readonly<Partial<Record<NoticeKind, boolean>>>;
  readonly updates?: UpdateSwitches;
}

/**
 * Opens the settings in the user data folder. A file that cannot be parsed is emptied. Defaults are
 * applied by the readers, so that a start writes nothing.
 */
export function openSettings(): Store<Settings> {
  const coordinate = { type: 'integer', minimum: -100_000, maximum: 100_000 } as const;
  const length = { type: 'integer', minimum: 1, maximum: 100_000 } as const;
  return new Store<Settings>({
    name: 'settings',
    clearInvalidConfig: true,
    schema: {
      theme: { type: 'string', enum: ['system', 'light', 'dark'] },
      closeToTray: { type: 'boolean' },
      keepAwake: { type: 'boolean' },
      notifications: {
        type: 'object',
        additionalProperties: false,
        required: ['finished', 'failed', 'error'],
        properties: {
          finished: { type: 'boolean' },
          failed: { type: 'boolean' },
          error: { type: 'boolean' },
          degraded: { type: 'boolean' },
        },
      },
      updates: {
        type: 'object',
        additionalProperties: false,
        required: ['look', 'fetch'],
        properties: { look: { type: 'boolean' }, fetch: { type: 'boolean' } },
      },
      window: {
        type: 'object',
        additionalProperties: false,
        required: ['bounds', 'maximized'],
        properties: {
          maximized: { type: 'boolean' },
          bounds: {
            type: 'object',
            additionalProperties: false,
            required: ['x', 'y', 'width', 'height'],
            properties: { x: coordinate, y: coordinate, width: length, height: length },
          },
        },
      },
    },
  });
}
