import type { BrowserWindow } from 'electron';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { keepPage } from '../../src-main/shell/window/keep-page.ts';
import { countPageCrashes, hungQuestion } from '../../src-main/shell/window/page-crashes.ts';
import type { Question } from '../../src-main/shell/quitting/quit-rules.ts';
import { remember } from '../../src-main/shell/settings/remember.ts';

/** The part of a window that is used; `answer` presses a button of the current question. */
function aWindow() {
  const did: string[] = [];
  const asked: Question[] = [];
  let answer = (_button: number): void => {};
  const window = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    loadURL: async (url: string) => void did.push(url),
    webContents: Object.assign(new EventEmitter(), {
      reload: () => did.push('reload'),
      forcefullyCrashRenderer: () => did.push('crash'),
    }),
  });
  keepPage(window as unknown as BrowserWindow, {
    quit: () => did.push('quit'),
    ask: (question, withdrawn) => {
      asked.push(question);
      return new Promise((resolve) => {
        answer = resolve;
        withdrawn?.addEventListener('abort', () => resolve(question.buttons.length - 1));
      });
    },
  });
  const end = async (reason: string): Promise<void> => {
    window.webContents.emit('render-process-gone', {}, { reason });
    await turn();
  };
  const press = async (button: number): Promise<void> => {
    answer(button);
    await turn();
  };
  return { window, did, asked, end, press };
}

it('a crashed page is reloaded, and the third time in a minute the user is asked', () => {
  let now = 0;
  const crashed = countPageCrashes(() => now);
  expect([crashed(), crashed(), crashed()]).toEqual(['load-again', 'load-again', 'ask']);
  // The count restarts after a question, and after a page that stayed up.
  const later = [0, 59_999, 60_001, 120_000, 120_000].map((at) => {
    now = at;
    return crashed();
  });
  expect(later).toEqual(['load-again', 'load-again', 'load-again', 'load-again', 'ask']);
});

it('after the question the window shows its first screen, or Benchport quits; an intended end asks nothing', async () => {
  for (const [button, effect] of [
    [1, 'app://local/ui/'],
    [0, 'quit'],
  ] as const) {
    const { did, asked, end, press } = aWindow();
    for (const reason of ['clean-exit', 'killed', 'crashed', 'oom']) await end(reason);
    expect(asked).toHaveLength(1);
    await press(button);
    expect(did).toEqual(['reload', 'reload', effect]);
  }
});

it('a page that hangs leads to one question, which closes when the page responds', async () => {
  const { window, did, asked, end, press } = aWindow();
  window.emit('unresponsive');
  window.emit('unresponsive');
  expect(asked).toEqual([hungQuestion]);
  window.emit('responsive');
  await turn();
  window.emit('unresponsive');
  expect(asked).toHaveLength(2);
  await press(1);
  expect(did).toEqual([]);
  window.emit('unresponsive');
  await press(0);
  expect(did).toEqual(['crash']);
  await end('killed');
  expect(did).toEqual(['crash', 'reload']);
});

it('errors are logged and block nothing', () => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => {});
  const set = (): never => {
    throw new Error('ENOSPC');
  };
  remember({ set }, { theme: 'dark' });
  expect(noted).toHaveBeenCalledWith(expect.stringContaining('theme could not be kept: Error: ENOSPC'));
  noted.mockRestore();
});
