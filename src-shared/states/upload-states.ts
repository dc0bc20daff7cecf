import type { Transitions } from './transitions.ts';

/** `waiting`: the service or the network is away, and it goes on by itself. */
export type UploadTaskState = 'reading' | 'sending' | 'waiting' | 'paused' | 'registering' | 'failed' | 'done';

export type UploadTaskEvent = 'read' | 'sent' | 'registered' | 'lose' | 'fail' | 'pause' | 'resume';

const late = { read: 'ignored', sent: 'ignored', registered: 'ignored', lose: 'ignored', fail: 'ignored' } as const;

/** The next state of an upload from the browser, which reads all files, sends them, and waits. */
export const uploadTransitions: Transitions<UploadTaskState, UploadTaskEvent> = {
  reading: {
    read: 'sending',
    sent: 'impossible',
    registered: 'done',
    lose: 'waiting',
    fail: 'failed',
    pause: 'paused',
    resume: 'ignored',
  },
  sending: {
    read: 'impossible',
    sent: 'registering',
    registered: 'done',
    lose: 'waiting',
    fail: 'failed',
    pause: 'paused',
    resume: 'ignored',
  },
  waiting: {
    read: 'sending',
    sent: 'registering',
    registered: 'done',
    lose: 'ignored',
    fail: 'failed',
    pause: 'paused',
    resume: 'reading',
  },
  paused: {
    ...late,
    pause: 'ignored',
    resume: 'reading',
  },
  registering: {
    read: 'impossible',
    sent: 'ignored',
    registered: 'done',
    lose: 'ignored',
    fail: 'failed',
    // All bytes are there.
    pause: 'refused',
    resume: 'ignored',
  },
  failed: {
    ...late,
    pause: 'refused',
    resume: 'reading',
  },
  done: {
    ...late,
    pause: 'refused',
    resume: 'refused',
  },
};
