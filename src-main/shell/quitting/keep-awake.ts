/** The part of Electron's `powerSaveBlocker` that this takes. */
export interface SleepBlocker {
  start(type: 'prevent-app-suspension'): number;
  stop(id: number): unknown;
}

/** Keeps the computer from going to sleep while it is wanted, and at no other time. The display may go dark. */
export class KeepAwake {
  readonly #blocker: SleepBlocker;
  #id: number | undefined;

  constructor(blocker: SleepBlocker) {
    this.#blocker = blocker;
  }

  set(wanted: boolean): void {
    if (wanted && this.#id === undefined) this.#id = this.#blocker.start('prevent-app-suspension');
    if (!wanted && this.#id !== undefined) {
      this.#blocker.stop(this.#id);
      this.#id = undefined;
    }
  }
}
