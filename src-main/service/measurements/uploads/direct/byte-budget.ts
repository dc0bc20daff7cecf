/** Bounds the bytes that are in memory at once; more wait for their turn, in order. */
export class ByteBudget {
  readonly #max: number;
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  #used = 0;

  /** @param max One that needs more than this runs alone. */
  constructor(max: number) {
    this.#max = max;
  }

  async run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length > 0 || !this.#fits(bytes))
      await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
    else this.#used += bytes;
    try {
      return await work();
    } finally {
      this.#used -= bytes;
      this.#startNext();
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#max;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.start();
    }
  }
}
