import { app, Notification, powerSaveBlocker, type BrowserWindow } from 'electron';
import type Store from 'electron-store';
import type { Fetch } from '../service/contract/fetches.ts';
import { decideOnClose } from './window/close-window.ts';
import { DesktopLifeSettings } from './settings/desktop-settings.ts';
import { askQuestion } from './files/dialogs.ts';
import { followService } from './service/follow-service.ts';
import { KeepAwake } from './quitting/keep-awake.ts';
import { keepPage } from './window/keep-page.ts';
import { degradedNotificationEvent, errorNotificationEvent, fetchNotificationEvent } from './notices/notice-words.ts';
import { Notices } from './notices/notices.ts';
import { guardQuit } from './quitting/quit-guard.ts';
import type { Busy, Question } from './quitting/quit-rules.ts';
import type { ServiceSocket, SendToService } from './service/service-socket.ts';
import type { ServiceSupervisor } from './service/service-supervisor.ts';
import type { Settings } from './settings/settings.ts';
import { noticeShower } from './notices/show-notice.ts';
import type { StartAtLogin } from './settings/start-at-login.ts';
import { taskbarProgress } from './tray/taskbar-progress.ts';
import { TrayIcon } from './tray/tray-icon.ts';

export interface DesktopDeps {
  readonly serviceSocket: ServiceSocket;
  readonly sendToService: SendToService;
  readonly supervisor: ServiceSupervisor;
  readonly store: Store<Settings>;
  readonly login: StartAtLogin;
  readonly iconFolder: string;
  readonly window: () => BrowserWindow | undefined;
  /** Shows the window, at an address of the user interface if one is given. */
  readonly open: (route?: string) => void;
}

/**
 * The parts of the desktop that work without a page: tray, taskbar, notifications, sleep blocking,
 * closing and quitting.
 */
export interface DesktopController {
  readonly settings: DesktopLifeSettings;
  /** Shows the tray icon; resolves to true if there is a tray. */
  appear(): Promise<boolean>;
  /** Attaches the close, crash and focus handling to a newly opened window. */
  adopt(window: BrowserWindow): void;
  /** Quits without asking. */
  quitNow(): void;
  /** See `QuitGuard`. */
  isSessionsEnd(): boolean;
  end(): void;
}

export function startDesktop(deps: DesktopDeps): DesktopController {
  const { sendToService, open } = deps;
  const window = (): BrowserWindow | undefined => {
    const one = deps.window();
    return one?.isDestroyed() ? undefined : one;
  };
  // Some window systems leave the focus with a hidden window.
  const isInFront = (): boolean => window()?.isVisible() === true && window()?.isFocused() === true;
  const ask = (question: Question, withdrawn?: AbortSignal): Promise<number> =>
    askQuestion(question, window(), withdrawn);
  const awake = new KeepAwake(powerSaveBlocker);
  const settings = new DesktopLifeSettings({
    store: deps.store,
    login: deps.login,
    hasTray: () => tray.isShown,
    canNotify: () => Notification.isSupported(),
    changed: () => refresh(),
  });
  const notices = new Notices({
    show: noticeShower(open),
    isInFront,
    wants: (kind) => settings.wantsNotice(kind),
    now: Date.now,
    later: (act, milliseconds) => void setTimeout(act, milliseconds).unref(),
  });
  const follower = followService(deps.serviceSocket, sendToService, {
    changed: () => refresh(),
    fetchNews: (fetch: Fetch) => {
      const notification = fetchNotificationEvent(fetch);
      if (notification) notices.add(notification);
      // A failure that the user sees happen does not need to stay marked in the taskbar.
      if (isInFront()) follower.seen();
    },
    newError: (event) => notices.add(errorNotificationEvent(event)),
    degraded: (event) => notices.add(degradedNotificationEvent(event)),
  });
  const busy = (): Busy => {
    const { fetches, sharing } = follower.state();
    return { fetches: fetches.underWay, sharing: sharing === true };
  };
  const guard = guardQuit(busy, ask);
  const tray = new TrayIcon(deps.iconFolder, {
    open: () => open(),
    pauseAll: () => tellAll('pause'),
    resumeAll: () => tellAll('resume'),
    setSharing: (on) => void share(on),
    quit: () => app.quit(),
  });

  function tellAll(action: 'pause' | 'resume'): void {
    sendToService('/api/v4/local/fetches/actions', { method: 'POST', body: { action, ids: 'all' } }).catch(() =>
      open('/transfers'),
    );
  }

  /**
   * If switching fails, for instance because a password is needed, opens the sharing screen, which
   * explains it.
   */
  async function share(on: boolean): Promise<void> {
    // Switching off aborts running uploads; the screen says so and asks first.
    if (!on && follower.state().upClients > 0) {
      tray.correctMenu();
      open('/sharing');
      return;
    }
    const now = (await sendToService('/api/v4/local/sharing', { method: 'PATCH', body: { on } }).catch(() => null)) as {
      on: boolean;
    } | null;
    if (now?.on === on) return;
    tray.correctMenu();
    open('/sharing');
  }

  function refresh(): void {
    const state = follower.state();
    tray.update(state);
    awake.set(state.fetches.running > 0 && settings.keepAwake);
    const { value, mode } = taskbarProgress(state.fetches);
    window()?.setProgressBar(value, { mode });
  }

  deps.supervisor.onChange(({ kind }) => {
    if (kind === 'failed' || kind === 'stopped') follower.serviceEnded();
  });

  return {
    settings,
    appear: () => tray.appear(),
    adopt: (opened) => {
      decideOnClose(opened, { guard, busy, hasTray: () => tray.isShown, settings, ask });
      keepPage(opened, { ask, quit: () => guard.quitNow() });
      opened.on('focus', () => {
        if (!opened.isVisible()) return;
        notices.seen();
        follower.seen();
      });
    },
    quitNow: () => guard.quitNow(),
    isSessionsEnd: () => guard.isSessionsEnd,
    end: () => {
      follower.stop();
      awake.set(false);
      tray.remove();
    },
  };
}
