/** Maximum bytes of a connection that are not in the journal yet. */
const maxUnjournalledBytes = 4 * 1024 * 1024;

/** A connection's share of the bytes not yet in the journal. */
export class Share {
  #bytes = 0;
  #room: PromiseWithResolvers<void> | null = null;

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes >= maxUnjournalledBytes) return;
    this.#room?.resolve();
    this.#room = null;
  }

  get isFull(): boolean {
    return this.#bytes >= maxUnjournalledBytes;
  }

  async room(): Promise<void> {
    if (!this.isFull) return;
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }
}
