/** What it needs of the system's clipboard. */
export interface Clipboard {
  readText(): string;
  writeText(text: string): void;
  clear(): void;
}

/** How long a copied secret may lie on the clipboard. */
const lifetime = 60_000;

/** Puts secrets on the clipboard and takes them away again, unless something else has been copied since. */
export class SecretClipboard {
  readonly #clipboard: Clipboard;
  #secret: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clipboard: Clipboard) {
    this.#clipboard = clipboard;
  }

  copy(secret: string): void {
    clearTimeout(this.#timer);
    this.#clipboard.writeText(secret);
    this.#secret = secret;
    this.#timer = setTimeout(() => this.forget(), lifetime);
  }

  /** Also for the end of the application, which the clipboard outlives. */
  forget(): void {
    clearTimeout(this.#timer);
    if (this.#secret !== null && this.#clipboard.readText() === this.#secret) this.#clipboard.clear();
    this.#secret = null;
  }
}
