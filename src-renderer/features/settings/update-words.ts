import type { Desktop } from '../../context/desktop.ts';

export type Updates = Awaited<ReturnType<Desktop['getUpdates']>>;
type State = Updates['state'];
type Action = Parameters<Desktop['actOnUpdates']>[0];
type Hindrance = Extract<State, { kind: 'ready' }>['waitsFor'][number];

export const offWords: Readonly<Record<Extract<State, { kind: 'off' }>['why'], string>> = {
  development: 'It was built for development and gets no updates.',
  'no-feed': 'It was built without an address for updates, so a new version is installed by hand.',
  'not-https': 'Its update address does not use https, so nothing is downloaded from there.',
  'no-key': 'It was built without the key that verifies updates, so nothing is downloaded.',
  unpacked: 'It does not update itself: install a new version the way this one was installed.',
};

const hindranceWords: Readonly<Record<Hindrance, string>> = {
  fetches: 'fetches',
  transfers: 'transfers',
  jobs: 'jobs such as a registration',
};

/** When an available version will be installed. */
export function waitingWords({ version, install, waitsFor }: Extract<State, { kind: 'ready' }>): string {
  if (install === 'at-quit') return `Version ${version} is installed when Benchport quits.`;
  if (install === 'asks') return `Version ${version} is ready to install.`;
  const what = waitsFor.map((one) => hindranceWords[one]);
  const list = what.length < 2 ? what.join('') : `${what.slice(0, -1).join(', ')} and ${what.at(-1)}`;
  return list === '' ? `Version ${version} is being installed.` : `Version ${version} waits for ${list} to end.`;
}

/** The action available now. */
export function actionsFor(state: State): readonly { readonly action: Action; readonly word: string }[] {
  switch (state.kind) {
    case 'quiet':
    case 'failed':
      return [{ action: 'look', word: 'Check now' }];
    case 'found':
      return [
        { action: 'fetch', word: 'Download' },
        { action: 'look', word: 'Check again' },
      ];
    case 'ready':
      return state.install === 'asks'
        ? [
            { action: 'install', word: 'Restart and install' },
            { action: 'install-at-quit', word: 'Install when Benchport quits' },
          ]
        : [{ action: 'not-now', word: 'Not now' }];
    case 'off':
    case 'looking':
    case 'fetching':
      return [];
  }
}
