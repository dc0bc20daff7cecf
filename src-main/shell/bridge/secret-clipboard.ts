/** What it needs of the system's clipboard, whose answers are promises in newer versions of Electron. */
export interface Clipboard {
  readText(): string | Promise<string>;
  writeText(text: string): unknown;
  clear(): unknown;
}

/** How long a copied secret may lie on the clipboard. */
const lifetimeMs = 60_000;

/** Puts secrets on the clipboard and takes them away again, unless something else has been copied since. */
export class SecretClipboard {
  readonly #clipboard: Clipboard;
  #secret: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clipboard: Clipboard) {
    this.#clipboard = clipboard;
  }

  async copy(secret: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#secret = secret;
    this.#timer = setTimeout(() => void this.forget(), lifetimeMs);
    await this.#clipboard.writeText(secret);
  }

  /** Also for the end of the application, which the clipboard outlives. */
  async forget(): Promise<void> {
    clearTimeout(this.#timer);
    const secret = this.#secret;
    this.#secret = null;
    if (secret !== null && (await this.#clipboard.readText()) === secret) await this.#clipboard.clear();
  }
}
