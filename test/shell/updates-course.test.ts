import { describe, expect, it } from 'vitest';
import type { UpdateHindrance, UpdateState } from '../../src-preload/bridge.ts';
import { DesktopUpdates, type UpdateEngine } from '../../src-main/shell/updates/updates.ts';

const hour = 3600_000;

/** Updates with a controllable engine and manual timers. */
function someUpdates(
  more: { readonly look?: boolean; readonly fetch?: boolean; readonly engine?: Partial<UpdateEngine> } = {},
) {
  const timers: { readonly act: () => void; readonly after: number }[] = [];
  const done: string[] = [];
  let busy: readonly UpdateHindrance[] = [];
  let now = 100 * hour;
  const engine: UpdateEngine = {
    look: async () => '0.2.0',
    fetch: async (progress) => progress(0.5),
    install: (restart) => done.push(`installed, restart ${restart}`) > 0,
    ...more.engine,
  };
  const updates = new DesktopUpdates({
    version: '0.1.0',
    channel: 'latest',
    engine: async () => engine,
    wants: () => ({ look: more.look ?? true, fetch: more.fetch ?? false }),
    hindrances: async () => busy,
    tell: (version, isReady) => void done.push(`told of ${version}${isReady ? ', ready' : ''}`),
    quit: () => void done.push('quits'),
    now: () => now,
    later: (act, after) => void timers.push({ act, after }),
  });
  const state = (): UpdateState => updates.read().state;
  return {
    updates,
    done,
    timers,
    state,
    setBusy: (what: readonly UpdateHindrance[]) => (busy = what),
    pass: (time: number) => (now += time),
    runTimer: async () => {
      timers.shift()?.act();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the course of an update', () => {
  it('checked after the start and daily, notified once, downloaded only on request', async () => {
    const { updates, runTimer, state, done, timers, pass } = someUpdates();
    updates.start();
    expect(timers).toHaveLength(1);
    await runTimer();
    expect(state()).toEqual({ kind: 'found', version: '0.2.0' });
    expect(updates.read()).toMatchObject({
      version: '0.1.0',
      channel: 'latest',
      lookedAt: new Date(100 * hour).toISOString(),
    });
    pass(hour);
    await runTimer();
    expect(updates.read().lookedAt).toBe(new Date(100 * hour).toISOString());
    pass(24 * hour);
    await runTimer();
    expect(updates.read().lookedAt).toBe(new Date(125 * hour).toISOString());
    expect(done).toEqual(['told of 0.2.0']);
    await updates.act('fetch');
    await new Promise((resolve) => setImmediate(resolve));
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', install: 'asks', waitsFor: [] });
    expect(done).toEqual(['told of 0.2.0', 'told of 0.2.0, ready']);
    expect(updates.end(false)).toBe(false);
    expect(done).not.toContain('installed, restart false');
  });

  it('automatic up to the question, if the user wants it; never if it is switched off', async () => {
    const wanted = someUpdates({ fetch: true });
    wanted.updates.start();
    await wanted.runTimer();
    expect(wanted.done).toEqual(['told of 0.2.0, ready']);
    const unwanted = someUpdates({ look: false });
    unwanted.updates.start();
    await unwanted.runTimer();
    expect(unwanted.state()).toEqual({ kind: 'quiet' });
    expect((await unwanted.updates.act('look')).state).toEqual({ kind: 'found', version: '0.2.0' });
  });

  it('never installed during work: it waits, ends the application when idle, and is installed then', async () => {
    const { updates, runTimer, state, done, setBusy } = someUpdates({ fetch: true });
    await updates.act('look');
    await new Promise((resolve) => setImmediate(resolve));
    setBusy(['transfers']);
    expect((await updates.act('install')).state).toMatchObject({ install: 'when-calm', waitsFor: ['transfers'] });
    await runTimer();
    expect(state()).toMatchObject({ waitsFor: ['transfers'] });
    expect(done).not.toContain('quits');
    setBusy([]);
    await runTimer();
    expect(done.at(-1)).toBe('quits');
    expect(updates.end(false)).toBe(true);
    expect(done.at(-1)).toBe('installed, restart true');
  });

  it('can be postponed, and be installed at quitting, but not at the end of the session', async () => {
    const { updates, runTimer, done, setBusy, timers } = someUpdates({ fetch: true });
    await updates.act('look');
    await new Promise((resolve) => setImmediate(resolve));
    setBusy(['jobs']);
    await updates.act('install');
    await updates.act('not-now');
    setBusy([]);
    while (timers.length > 0) await runTimer();
    expect(done).not.toContain('quits');
    await updates.act('install-at-quit');
    expect(updates.end(true)).toBe(false);
    expect(updates.end(false)).toBe(true);
    expect(done.at(-1)).toBe('installed, restart false');
  });

  it('a failure is reported and can be retried', async () => {
    let works = false;
    const { updates } = someUpdates({
      engine: { look: async () => (works ? null : Promise.reject(new Error('net::ERR_NAME_NOT_RESOLVED'))) },
    });
    expect((await updates.act('look')).state).toEqual({
      kind: 'failed',
      message: 'The update server cannot be reached.',
    });
    works = true;
    expect((await updates.act('look')).state).toEqual({ kind: 'quiet' });
    expect((await updates.act('install')).state).toEqual({ kind: 'quiet' });
  });
});
