import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SecretClipboard } from '../../src-main/shell/bridge/secret-clipboard.ts';

/** A clipboard of the system. */
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

  it('is removed after a minute', async () => {
    const clipboard = fakeClipboard();
    await new SecretClipboard(clipboard).copy('bppat-1');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(clipboard.readText()).toBe('bppat-1');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(clipboard.readText()).toBe('');
  });

  it('is not removed when something else was copied', async () => {
    const clipboard = fakeClipboard();
    await new SecretClipboard(clipboard).copy('bppat-1');
    clipboard.writeText('a shopping list');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(clipboard.readText()).toBe('a shopping list');
  });

  it('is removed a minute after it was last copied', async () => {
    const clipboard = fakeClipboard();
    const secrets = new SecretClipboard(clipboard);
    await secrets.copy('bppat-1');
    await vi.advanceTimersByTimeAsync(40_000);
    await secrets.copy('bppat-2');
    await vi.advanceTimersByTimeAsync(40_000);
    expect(clipboard.readText()).toBe('bppat-2');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(clipboard.readText()).toBe('');
  });

  it('is removed when the application ends', async () => {
    const clipboard = fakeClipboard();
    const secrets = new SecretClipboard(clipboard);
    await secrets.copy('bppat-1');
    await secrets.forget();
    expect(clipboard.readText()).toBe('');
    clipboard.writeText('bppat-1');
    await secrets.forget();
    expect(clipboard.readText()).toBe('bppat-1');
  });
});
