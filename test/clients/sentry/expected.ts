import type { Shown } from './sdk-project.ts';

type Exceptions = Shown['exceptions'];

export interface Expected {
  readonly sdk: string | null;
  readonly platform: string;
  readonly exceptions: Exceptions;
  /** Values that differ from those of the other SDKs. */
  readonly error?: Partial<Shown>;
  readonly note?: Partial<Shown>;
  readonly both?: Partial<Shown>;
}

/**
 * The events that the programs in all languages send: an error with its cause, then a message, each
 * once and for the same user.
 */
export function expectedOf({ sdk, platform, exceptions, error, note, both }: Expected): Shown[] {
  const common = {
    platform,
    events: 1,
    users: 1,
    release: 'bench@1.4.0',
    environment: 'lab-3',
    user: ['7', 'alice', 'alice@example.com'],
    tags: { instrument: 'spectrometer-2' },
    breadcrumbs: [{ category: 'bench', message: 'shutter opened', level: 'info', data: { position: 3 } }],
    sdk,
    threads: [],
    ...both,
  };
  const last = exceptions.at(-1);
  const message = 'calibration is 3 days old';
  return [
    { ...common, title: `${last?.type}: ${last?.value}`, level: 'error', message: null, exceptions, ...error },
    { ...common, title: message, level: 'warning', message, exceptions: [], ...note },
  ];
}
