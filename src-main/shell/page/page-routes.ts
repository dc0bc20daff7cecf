/**
 * Leads the page to an address of the user interface. A page that has not loaded yet, or is still busy with signing in or the first run, says later that it
 * listens; until then the newest wish waits.
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

  /** The page listens from now on. */
  listening(): void {
    this.#isListening = true;
    const route = this.#waiting;
    this.#waiting = undefined;
    if (route !== undefined) this.#send(route);
  }

  /** The page is gone, or is being loaded anew. */
  gone(): void {
    this.#isListening = false;
  }
}
