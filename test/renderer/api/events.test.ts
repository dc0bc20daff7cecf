import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventHub, type HubMessage } from '../../../src-renderer/api/events/event-hub.ts';
import { openEventStream } from '../../../src-renderer/api/events/event-stream.ts';
import { follow, joinOwnStream, type JoinEvents } from '../../../src-renderer/api/events/follow-events.ts';
import { whileShown } from '../../../src-renderer/api/events/while-shown.ts';

/** A stand-in for the browser's EventSource, controlled by the test. */
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

const sources: ControlledSource[] = [];
const newest = (): ControlledSource => sources.at(-1) ?? new ControlledSource();
const openControlled = (sink: Parameters<typeof openEventStream>[0]): (() => void) =>
  openEventStream(sink, () => {
    const source = new ControlledSource();
    sources.push(source);
    return source as unknown as EventSource;
  });
const someHandlers = () => ({
  changed: vi.fn(),
  job: vi.fn(),
  rates: vi.fn(),
  fetch: vi.fn(),
  incoming: vi.fn(),
  adding: vi.fn(),
  heartbeat: vi.fn(),
  connection: vi.fn(),
  resynchronise: vi.fn(),
});

beforeEach(() => {
  sources.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', { CLOSED: 2 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function listen() {
  const handlers = someHandlers();
  return { handlers, stop: follow(handlers, joinOwnStream(openControlled))() };
}

test('events are passed to their handlers', () => {
  const { handlers, stop } = listen();
  newest().say('open');
  newest().say('changed', { topic: 'measurements', id: 'm' });
  newest().say('rates', { up_bytes_per_second: 5, up_clients: 1 });
  expect(handlers.changed).toHaveBeenCalledWith({ topic: 'measurements', id: 'm' });
  expect(handlers.rates).toHaveBeenCalledWith({ up_bytes_per_second: 5, up_clients: 1 });
  expect(handlers.resynchronise).not.toHaveBeenCalled();
  stop();
  expect(newest().closed).toBe(true);
});

test('a closed source is replaced, and missed changes are read', () => {
  const { handlers, stop } = listen();
  newest().say('open');
  newest().readyState = 2;
  newest().say('error');
  expect(handlers.connection).toHaveBeenLastCalledWith('lost');
  vi.advanceTimersByTime(1000);
  expect(sources).toHaveLength(2);
  newest().say('open');
  expect(handlers.connection).toHaveBeenLastCalledWith('open');
  expect(handlers.resynchronise).toHaveBeenCalledTimes(1);
  stop();
});

test('U1: a stream without heartbeats is replaced; one with them is not', () => {
  const { handlers, stop } = listen();
  newest().say('open');
  for (let beat = 0; beat < 10; beat += 1) {
    newest().say('heartbeat', {});
    vi.advanceTimersByTime(5000);
  }
  expect(sources).toHaveLength(1);
  expect(handlers.connection).toHaveBeenLastCalledWith('open');
  vi.advanceTimersByTime(10_000);
  expect(handlers.connection).toHaveBeenLastCalledWith('lost');
  expect(sources[0]?.closed).toBe(true);
  vi.advanceTimersByTime(2000);
  expect(sources).toHaveLength(2);
  stop();
});

/** Pages of one browser around a hub, as the worker has it. */
function pagesOfOneBrowser() {
  const hub = createEventHub<(message: HubMessage) => void>(openControlled, (to, message) => to(message));
  let now = 0;
  const join: JoinEvents = (position, take) => {
    hub.join(take, position, now);
    return () => hub.leave(take);
  };
  return {
    hub,
    setNow: (to: number) => {
      now = to;
    },
    page: (from: string | null = null) => {
      const handlers = someHandlers();
      return { handlers, show: follow(handlers, join, from) };
    },
  };
}

test('D1: any number of pages share one stream, which closes with the last of them', () => {
  const { page } = pagesOfOneBrowser();
  const pages = Array.from({ length: 12 }, () => page());
  const hides = pages.map(({ show }) => show());
  newest().say('open');
  newest().say('changed', { topic: 'tokens' });
  for (const { handlers } of pages) expect(handlers.changed).toHaveBeenCalledWith({ topic: 'tokens' });
  expect(sources).toHaveLength(1);
  for (const hide of hides.slice(1)) hide();
  expect(newest().closed).toBe(false);
  hides[0]?.();
  expect(newest().closed).toBe(true);
});

test('D1: a hidden page that is shown reads missed changes, and nothing if it missed none', () => {
  const { page } = pagesOfOneBrowser();
  const [stays, hides] = [page(), page()];
  stays.show();
  const hide = hides.show();
  newest().say('open');
  hide();
  newest().say('rates', { up_bytes_per_second: 5, up_clients: 1 });
  const hideAgain = hides.show();
  expect(hides.handlers.resynchronise).not.toHaveBeenCalled();
  hideAgain();
  newest().say('changed', { topic: 'tokens' });
  expect(hides.handlers.changed).not.toHaveBeenCalled();
  hides.show();
  expect(hides.handlers.resynchronise).toHaveBeenCalledTimes(1);
  expect(stays.handlers.resynchronise).not.toHaveBeenCalled();
});

test('D1: a page that was hidden without a stream, or from the start, reads everything', () => {
  const { page } = pagesOfOneBrowser();
  const alone = page();
  alone.show()();
  alone.show();
  newest().say('open');
  expect(alone.handlers.resynchronise).toHaveBeenCalledTimes(1);
  const behind = page('hidden from the start');
  behind.show();
  expect(behind.handlers.resynchronise).toHaveBeenCalledTimes(1);
});

test('D1: a page that disappears keeps no stream open, and one that returns has missed changes', () => {
  const { page, hub } = pagesOfOneBrowser();
  page().show();
  newest().say('open');
  hub.dropSilent(1);
  expect(newest().closed).toBe(true);
});

test('D1: a page listens while it is shown, not while it is hidden or in the back/forward cache', () => {
  const view = new EventTarget();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const stop = vi.fn();
  const start = vi.fn(() => stop);
  const end = whileShown(start, page as unknown as Document, view as unknown as Window);
  expect(start).toHaveBeenCalledTimes(1);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(stop).toHaveBeenCalledTimes(1);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  view.dispatchEvent(new Event('pageshow'));
  expect(start).toHaveBeenCalledTimes(2);
  view.dispatchEvent(new Event('pagehide'));
  expect(stop).toHaveBeenCalledTimes(2);
  view.dispatchEvent(new Event('pageshow'));
  expect(start).toHaveBeenCalledTimes(3);
  end();
  page.dispatchEvent(new Event('visibilitychange'));
  expect(stop).toHaveBeenCalledTimes(3);
  expect(start).toHaveBeenCalledTimes(3);
});
