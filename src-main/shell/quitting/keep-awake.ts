/** The part of Electron's `powerSaveBlocker` used here. */
export interface SleepBlocker {
  start(type: 'prevent-app-suspension'): number;
  stop(id: number): unknown;
}

/** Prevents the computer from suspending while wanted. The display may still turn off. */
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
