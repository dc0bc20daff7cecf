/** The part of Electron's clipboard used here; newer versions of Electron return promises. */
export interface Clipboard {
  readText(): string | Promise<string>;
  writeText(text: string): unknown;
  clear(): unknown;
}

/** How long a copied secret stays on the clipboard. */
const lifetimeMs = 60_000;

/**
 * Copies secrets to the clipboard and clears them after `lifetimeMs`, unless something else was
 * copied since.
 */
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

  /** Also called when the application ends, because the clipboard outlives it. */
  async forget(): Promise<void> {
    clearTimeout(this.#timer);
    const secret = this.#secret;
    this.#secret = null;
    if (secret !== null && (await this.#clipboard.readText()) === secret) await this.#clipboard.clear();
  }
}
