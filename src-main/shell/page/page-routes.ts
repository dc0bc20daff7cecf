/**
 * Sends the page to an address of the user interface. Until the page has loaded, signed in and
 * reported that it listens, only the latest route is kept.
 */
export class PageRoutes {
  readonly #send: (route: string) => void;
  #isListening = false;
  #waiting: string | undefined;

  constructor(send: (route: string) => void) {
    this.#send = send;
  }

  open(route: string): void {
    if (this.#isListening) this.#send(route);
    else this.#waiting = route;
  }

  /** The page is ready to receive routes; sends the waiting one. */
  listening(): void {
    this.#isListening = true;
    const route = this.#waiting;
    this.#waiting = undefined;
    if (route !== undefined) this.#send(route);
  }

  /** The page was closed or is reloading. */
  gone(): void {
    this.#isListening = false;
  }
}
