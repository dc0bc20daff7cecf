import type Store from 'electron-store';
import type { DesktopSettings, DesktopSettingsChange, UpdateSwitches } from '../../../src-preload/bridge.ts';
import type { NoticeKind } from '../notices/notice-words.ts';
import type { Settings } from './settings.ts';
import type { StartAtLogin } from './start-at-login.ts';

export interface DesktopSettingsDeps {
  readonly store: Pick<Store<Settings>, 'get' | 'set'>;
  readonly login: StartAtLogin;
  readonly hasTray: () => boolean;
  readonly canNotify: () => boolean;
  /** Called after each change. */
  readonly changed: () => void;
}

/**
 * The settings of the desktop: those stored by Benchport, and those that only the operating system
 * knows.
 */
export class DesktopLifeSettings {
  readonly #deps: DesktopSettingsDeps;

  constructor(deps: DesktopSettingsDeps) {
    this.#deps = deps;
  }

  get closeToTray(): boolean | null {
    return this.#deps.store.get('closeToTray') ?? null;
  }

  get keepAwake(): boolean {
    return this.#deps.store.get('keepAwake') ?? false;
  }

  wantsNotice(kind: NoticeKind): boolean {
    return this.#deps.store.get('notifications')?.[kind] ?? true;
  }

  /**
   * Checking for updates contacts only the address built into this copy and is cheap; downloading
   * is the user's choice.
   */
  get updates(): UpdateSwitches {
    return this.#deps.store.get('updates') ?? { look: true, fetch: false };
  }

  /** All settings, for the settings screen. */
  async read(problem: string | null = null): Promise<DesktopSettings> {
    const { login, hasTray, canNotify } = this.#deps;
    return {
      startAtLogin: await login.isOn().catch(() => false),
      closeToTray: this.closeToTray,
      hasTray: hasTray(),
      keepAwake: this.keepAwake,
      canNotify: canNotify(),
      notifications: {
        finished: this.wantsNotice('finished'),
        failed: this.wantsNotice('failed'),
        error: this.wantsNotice('error'),
        degraded: this.wantsNotice('degraded'),
      },
      updates: this.updates,
      problem,
    };
  }

  /**
   * Changes some settings. If the system rejects start at login, `problem` says why; the other
   * changes still apply.
   */
  async change(change: DesktopSettingsChange): Promise<DesktopSettings> {
    const { store, login, changed } = this.#deps;
    if (change.closeToTray !== undefined) store.set('closeToTray', change.closeToTray);
    if (change.keepAwake !== undefined) store.set('keepAwake', change.keepAwake);
    if (change.notifications !== undefined) {
      store.set('notifications', {
        finished: true,
        failed: true,
        error: true,
        degraded: true,
        ...store.get('notifications'),
        ...change.notifications,
      });
    }
    if (change.updates !== undefined) store.set('updates', { ...this.updates, ...change.updates });
    let problem: string | null = null;
    if (change.startAtLogin !== undefined) {
      problem = await login.set(change.startAtLogin).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    }
    changed();
    return this.read(problem);
  }
}
