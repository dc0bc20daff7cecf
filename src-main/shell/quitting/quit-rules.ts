/** A message box. The last button is Cancel, which Enter and Esc choose. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** Work in progress that closing or quitting would affect. */
export interface Busy {
  /** Fetches that have not ended and continue without the user. */
  readonly fetches: number;
  readonly sharing: boolean;
}

/** The effect of closing the window; `ask` shows the question, once. */
export type CloseMeans = 'close' | 'hide' | 'ask' | 'quit';

export interface CloseContext {
  readonly platform: NodeJS.Platform;
  /** The application is already ending. */
  readonly quitting: boolean;
  readonly hasTray: boolean;
  /** The user's answer; null before the question was asked. */
  readonly closeToTray: boolean | null;
  readonly busy: Busy;
}

/**
 * Decides what closing the window does. Without a tray a hidden window could not be reached, so
 * closing it quits.
 */
export function meaningOfClose({ platform, quitting, hasTray, closeToTray, busy }: CloseContext): CloseMeans {
  // On macOS an application outlives its windows; its dock icon reopens them.
  if (quitting || platform === 'darwin') return 'close';
  if (hasTray && closeToTray === true) return 'hide';
  if (hasTray && closeToTray === null && (busy.fetches > 0 || busy.sharing)) return 'ask';
  return 'quit';
}

/** Asked before quitting during a fetch; undefined if nothing is being fetched. */
export function quitQuestion({ fetches }: Busy): Question | undefined {
  if (fetches === 0) return undefined;
  const one = fetches === 1;
  return {
    message: one ? 'Quit while a fetch is under way?' : `Quit while ${fetches} fetches are under way?`,
    detail: `Nothing that has been saved is lost. ${one ? 'It continues where it left off' : 'They continue where they left off'} the next time Benchport is started.`,
    buttons: ['Quit', 'Cancel'],
  };
}

/** Asked when the window is first closed while work is in progress. */
export function closeQuestion({ fetches, sharing }: Busy): Question {
  const fetching = fetches === 0 ? [] : [fetches === 1 ? 'a fetch is under way' : `${fetches} fetches are under way`];
  const what = [...fetching, ...(sharing ? ['measurements are shared on the network'] : [])].join(' and ');
  return {
    message: 'Keep Benchport running in the background?',
    detail: `At the moment ${what}. In the background that continues, and the tray icon opens the window again. Your answer is remembered; you can change it in Settings.`,
    buttons: ['Keep running', 'Quit', 'Cancel'],
  };
}
