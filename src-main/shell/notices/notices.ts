import { noticeOf, type Happening, type Notice, type NoticeKind } from './notice-words.ts';

/** What it takes to tell the user of something. */
export interface NoticeParts {
  readonly show: (notice: Notice) => void;
  /** Whether the user looks at the window: then it needs no notification. */
  readonly isInFront: () => boolean;
  readonly wants: (kind: NoticeKind) => boolean;
  readonly now: () => number;
  readonly later: (act: () => void, milliseconds: number) => void;
}

/** What belongs together comes within a moment: the fetches that one broken network ends, for instance. */
const gatherFor = 1500;
const mostInAMinute = 3;
const minute = 60_000;

/** Gathers what happens into few notifications: never more than three a minute, however much happens. */
export class Notices {
  readonly #parts: NoticeParts;
  #waiting: Happening[] = [];
  #shownAt: number[] = [];
  #planned = false;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
  }

  add(happening: Happening): void {
    if (this.#parts.isInFront() || !this.#parts.wants(happening.kind)) return;
    this.#waiting.push(happening);
    this.#plan(gatherFor);
  }

  /** The window has come to the front: what waits is seen there. */
  seen(): void {
    this.#waiting = [];
  }

  #plan(milliseconds: number): void {
    if (this.#planned) return;
    this.#planned = true;
    this.#parts.later(() => {
      this.#planned = false;
      this.#tell();
    }, milliseconds);
  }

  #tell(): void {
    if (this.#waiting.length === 0) return;
    const now = this.#parts.now();
    this.#shownAt = this.#shownAt.filter((at) => now - at < minute);
    const [oldest] = this.#shownAt;
    if (oldest !== undefined && this.#shownAt.length >= mostInAMinute) {
      this.#plan(oldest + minute - now);
      return;
    }
    const happenings = this.#waiting;
    this.#waiting = [];
    this.#shownAt.push(now);
    this.#parts.show(noticeOf(happenings));
  }
}
