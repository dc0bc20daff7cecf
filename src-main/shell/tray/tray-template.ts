import type { MenuItemConstructorOptions } from 'electron';
import { formatRate } from '../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../src-shared/format/times.ts';
import type { FetchSummary } from '../notices/fetch-watch.ts';

export interface TrayState {
  readonly fetches: FetchSummary;
  readonly downBytesPerSecond: number;
  readonly secondsLeft: number | null;
  /** Number of fetches not included in `secondsLeft`, because their size is not known yet. */
  readonly unknownSizes: number;
  readonly upBytesPerSecond: number;
  readonly upClients: number;
  /** Null while unknown, as before the first run; it cannot be switched then. */
  readonly sharing: boolean | null;
}

/** Actions of the menu's entries. */
export interface TrayActions {
  readonly open: () => void;
  readonly pauseAll: () => void;
  readonly resumeAll: () => void;
  readonly setSharing: (on: boolean) => void;
  readonly quit: () => void;
}

/** The work in progress, one line each; empty if there is none. */
function trayLines(state: TrayState): string[] {
  const { running, underWay, paused, asking } = state.fetches;
  const left =
    state.secondsLeft === null
      ? ''
      : `${state.unknownSizes > 0 ? 'at least ' : ''}${formatDuration(state.secondsLeft)}`;
  const fetching = [
    `Fetching ${running}`,
    formatRate(state.downBytesPerSecond),
    ...(left === '' ? [] : [`${left} left`]),
  ].join(', ');
  return [
    ...(running > 0 ? [fetching] : []),
    ...(underWay > running ? [`${underWay - running} waiting`] : []),
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(asking > 0 ? [asking === 1 ? '1 needs you' : `${asking} need you`] : []),
    ...(state.upClients > 0 ? [`Sending ${formatRate(state.upBytesPerSecond)} to ${state.upClients}`] : []),
  ];
}

/** The text shown while the pointer is over the icon. */
export function trayTooltip(state: TrayState): string {
  return ['Benchport', ...trayLines(state)].join('\n');
}

/** The icon's menu. It shows no rates: on Linux a menu that changes every second cannot be used. */
export function trayTemplate(state: TrayState, actions: TrayActions): MenuItemConstructorOptions[] {
  const { underWay, paused } = state.fetches;
  return [
    { label: 'Open Benchport', click: () => actions.open() },
    { type: 'separator' },
    { label: 'Pause all', enabled: underWay > 0, click: () => actions.pauseAll() },
    { label: 'Resume all', enabled: paused > 0, click: () => actions.resumeAll() },
    {
      label: 'Share on the local network',
      type: 'checkbox',
      checked: state.sharing === true,
      enabled: state.sharing !== null,
      click: (item) => actions.setSharing(item.checked),
    },
    { type: 'separator' },
    { label: 'Quit', click: () => actions.quit() },
  ];
}
