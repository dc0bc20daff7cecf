import { noticeOf, type NotificationEvent, type Notice, type NoticeKind } from './notice-words.ts';

export interface NoticeDeps {
  readonly show: (notice: Notice) => void;
  /** Whether the user is looking at the window, which makes a notification unnecessary. */
  readonly isInFront: () => boolean;
  readonly wants: (kind: NoticeKind) => boolean;
  readonly now: () => number;
  readonly later: (act: () => void, delayMs: number) => void;
}

/**
 * Related events arrive within this time (ms), for instance the fetches that one network failure
 * ends.
 */
const gatherForMs = 1500;
const maxPerMinute = 3;
const minuteMs = 60_000;

/** Combines events into few notifications, at most three a minute. */
export class Notices {
  readonly #deps: NoticeDeps;
  #waiting: NotificationEvent[] = [];
  #shownAt: number[] = [];
  #planned = false;

  constructor(deps: NoticeDeps) {
    this.#deps = deps;
  }

  add(event: NotificationEvent): void {
    if (this.#deps.isInFront() || !this.#deps.wants(event.kind)) return;
    this.#waiting.push(event);
    this.#plan(gatherForMs);
  }

  /** Call when the window comes to the front: pending events are visible there. */
  seen(): void {
    this.#waiting = [];
  }

  #plan(delayMs: number): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#deps.later(() => {
      this.#planned = false;
      this.#tell();
    }, delayMs);
  }

  #tell(): void {
    if (this.#waiting.length === 0) return;
    const now = this.#deps.now();
    this.#shownAt = this.#shownAt.filter((at) => now - at < minuteMs);
    const [oldest] = this.#shownAt;
    if (oldest !== undefined && this.#shownAt.length >= maxPerMinute) {
      this.#plan(oldest + minuteMs - now);
      return;
    }
    const events = this.#waiting;
    this.#waiting = [];
    this.#shownAt.push(now);
    this.#deps.show(noticeOf(events));
  }
}
