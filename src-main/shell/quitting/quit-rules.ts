/** What a message box asks. The last button is Cancel, and what Enter and Esc choose. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** What keeps Benchport busy. */
export interface Busy {
  /** Fetches that have not ended and go on by themselves. */
  readonly fetches: number;
  readonly sharing: boolean;
}

/** What closing the window means. `ask` is for the one question that is asked once. */
export type CloseMeans = 'close' | 'hide' | 'ask' | 'quit';

export interface CloseContext {
  readonly platform: NodeJS.Platform;
  /** The application is ending already. */
  readonly quitting: boolean;
  readonly hasTray: boolean;
  /** The user's answer; null before it was given. */
  readonly closeToTray: boolean | null;
  readonly busy: Busy;
}

/** Decides what closing the window means. Without a tray there would be no way back, so there it always ends the application. */
export function meaningOfClose({ platform, quitting, hasTray, closeToTray, busy }: CloseContext): CloseMeans {
  // On a Mac an application outlives its windows, and its icon in the dock is the way back.
  if (quitting || platform === 'darwin') return 'close';
  if (hasTray && closeToTray === true) return 'hide';
  if (hasTray && closeToTray === null && (busy.fetches > 0 || busy.sharing)) return 'ask';
  return 'quit';
}

/** Asked before quitting while something is being fetched; undefined when quitting loses no time. */
export function quitQuestion({ fetches }: Busy): Question | undefined {
  if (fetches === 0) return undefined;
  const one = fetches === 1;
  return {
    message: one ? 'Quit while a fetch is under way?' : `Quit while ${fetches} fetches are under way?`,
    detail: `Nothing that has been saved is lost. ${one ? 'It continues where it left off' : 'They continue where they left off'} the next time Benchport is started.`,
    buttons: ['Quit', 'Cancel'],
  };
}

/** Asked at the first closing of the window while something goes on. */
export function closeQuestion({ fetches, sharing }: Busy): Question {
  const fetching = fetches === 0 ? [] : [fetches === 1 ? 'a fetch is under way' : `${fetches} fetches are under way`];
  const what = [...fetching, ...(sharing ? ['measurements are shared on the network'] : [])].join(' and ');
  return {
    message: 'Keep Benchport running in the background?',
    detail: `At the moment ${what}. In the background that continues, and the tray icon opens the window again. Your answer is remembered; you can change it in Settings.`,
    buttons: ['Keep running', 'Quit', 'Cancel'],
  };
}
