import { expect, test, vi } from 'vitest';
import { listenToService } from '../../src-renderer/api/events.ts';

/** What the browser's EventSource does, under the control of the test. */
class ControlledSource extends EventTarget {
  readyState = 0;
  closed = false;
  close(): void {
    this.closed = true;
  }
  say(type: string, data?: unknown): void {
    this.dispatchEvent(data === undefined ? new Event(type) : new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

function listen() {
  const sources: ControlledSource[] = [];
  const handlers = { changed: vi.fn(), job: vi.fn(), rates: vi.fn(), fetch: vi.fn(), incoming: vi.fn(), connection: vi.fn(), resynchronise: vi.fn() };
  const stop = listenToService(handlers, () => {
    const source = new ControlledSource();
    sources.push(source);
    return source as unknown as EventSource;
  });
  return { sources, handlers, stop };
}

test('events go to their handlers', () => {
  vi.stubGlobal('EventSource', { CLOSED: 2 });
  const { sources, handlers, stop } = listen();
  sources[0]?.say('open');
  sources[0]?.say('changed', { topic: 'measurements', id: 'm' });
  sources[0]?.say('rates', { up_bytes_per_second: 5, up_clients: 1 });
  expect(handlers.changed).toHaveBeenCalledWith({ topic: 'measurements', id: 'm' });
  expect(handlers.rates).toHaveBeenCalledWith({ up_bytes_per_second: 5, up_clients: 1 });
  expect(handlers.resynchronise).not.toHaveBeenCalled();
  stop();
  expect(sources[0]?.closed).toBe(true);
  vi.unstubAllGlobals();
});

test('a source that was closed for good is replaced, and what was missed is read again', () => {
  vi.stubGlobal('EventSource', { CLOSED: 2 });
  vi.useFakeTimers();
  const { sources, handlers, stop } = listen();
  const first = sources[0];
  first?.say('open');
  if (first !== undefined) first.readyState = 2;
  first?.say('error');
  expect(handlers.connection).toHaveBeenLastCalledWith('lost');
  vi.advanceTimersByTime(60_000);
  expect(sources).toHaveLength(2);
  sources[1]?.say('open');
  expect(handlers.connection).toHaveBeenLastCalledWith('open');
  expect(handlers.resynchronise).toHaveBeenCalledTimes(1);
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
