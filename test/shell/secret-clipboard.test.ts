import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SecretClipboard } from '../../src-main/shell/secret-clipboard.ts';

/** A clipboard as the system has one. */
function fakeClipboard() {
  let text = '';
  return {
    readText: () => text,
    writeText: (next: string) => {
      text = next;
    },
    clear: () => {
      text = '';
    },
  };
}

describe('S111 a secret on the clipboard', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is gone after a minute', () => {
    const clipboard = fakeClipboard();
    new SecretClipboard(clipboard).copy('bppat-1');
    vi.advanceTimersByTime(59_000);
    expect(clipboard.readText()).toBe('bppat-1');
    vi.advanceTimersByTime(1_000);
    expect(clipboard.readText()).toBe('');
  });

  it('leaves alone what was copied since', () => {
    const clipboard = fakeClipboard();
    new SecretClipboard(clipboard).copy('bppat-1');
    clipboard.writeText('a shopping list');
    vi.advanceTimersByTime(60_000);
    expect(clipboard.readText()).toBe('a shopping list');
  });

  it('has a minute from the last time it was copied', () => {
    const clipboard = fakeClipboard();
    const secrets = new SecretClipboard(clipboard);
    secrets.copy('bppat-1');
    vi.advanceTimersByTime(40_000);
    secrets.copy('bppat-2');
    vi.advanceTimersByTime(40_000);
    expect(clipboard.readText()).toBe('bppat-2');
    vi.advanceTimersByTime(20_000);
    expect(clipboard.readText()).toBe('');
  });

  it('is gone when the application ends', () => {
    const clipboard = fakeClipboard();
    const secrets = new SecretClipboard(clipboard);
    secrets.copy('bppat-1');
    secrets.forget();
    expect(clipboard.readText()).toBe('');
    clipboard.writeText('bppat-1');
    secrets.forget();
    expect(clipboard.readText()).toBe('bppat-1');
  });
});
