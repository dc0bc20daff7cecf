import { describe, expect, it } from 'vitest';
import {
  closeQuestion,
  meaningOfClose,
  quitQuestion,
  type CloseMeans,
  type CloseContext,
} from '../../src-main/shell/quitting/quit-rules.ts';

const idle = { fetches: 0, sharing: false };
const fetching = { fetches: 2, sharing: false };
const sharing = { fetches: 0, sharing: true };

describe('closing the window', () => {
  const idleContext: CloseContext = {
    platform: 'linux',
    quitting: false,
    hasTray: true,
    closeToTray: null,
    busy: idle,
  };

  it.each<[string, Partial<CloseContext>, CloseMeans]>([
    ['ends an idle application', {}, 'quit'],
    ['asks while fetches are under way', { busy: fetching }, 'ask'],
    ['asks while measurements are shared', { busy: sharing }, 'ask'],
    ['hides when that was the answer', { closeToTray: true }, 'hide'],
    ['hides when that was the answer, also while busy', { closeToTray: true, busy: fetching }, 'hide'],
    ['does not ask again', { closeToTray: false, busy: fetching }, 'quit'],
    ['never hides where no tray would lead back', { hasTray: false, closeToTray: true, busy: fetching }, 'quit'],
    ['never asks where there is no tray', { hasTray: false, busy: fetching }, 'quit'],
    ['goes through once the end has begun', { quitting: true, closeToTray: true, busy: fetching }, 'close'],
    ['is nothing special on a Mac', { platform: 'darwin', closeToTray: true, busy: fetching }, 'close'],
    ['is the same on Windows as on Linux', { platform: 'win32', busy: fetching }, 'ask'],
  ])('%s', (_what, more, means) => {
    expect(meaningOfClose({ ...idleContext, ...more })).toBe(means);
  });

  it('the question names what is running', () => {
    expect(closeQuestion({ fetches: 1, sharing: true })).toMatchObject({
      detail: expect.stringMatching(
        /^At the moment a fetch is under way and measurements are shared on the network\. /,
      ),
      buttons: ['Keep running', 'Quit', 'Cancel'],
    });
    expect(closeQuestion(sharing).detail).toMatch(/^At the moment measurements are shared/);
  });
});

describe('quitting', () => {
  it('asks only during fetches, and Cancel is the last button', () => {
    expect(quitQuestion(idle)).toBeUndefined();
    expect(quitQuestion(sharing)).toBeUndefined();
    expect(quitQuestion(fetching)).toMatchObject({
      message: 'Quit while 2 fetches are under way?',
      buttons: ['Quit', 'Cancel'],
    });
    expect(quitQuestion({ fetches: 1, sharing: true })?.detail).toBe(
      'Nothing that has been saved is lost. It continues where it left off the next time Benchport is started.',
    );
  });
});
