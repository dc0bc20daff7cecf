/** Methods of the thread in these tests. */
export interface TestMethods {
  add(a: number, b: number): number;
  /** The length of the bytes, and whether they came without a copy of somebody else's. */
  measure(bytes: Uint8Array): { readonly length: number; readonly data: unknown };
  fail(code: string | null): never;
  give(what: 'function'): unknown;
  /** Never resolves; aborted, it fails with the reason given there. */
  wait(signal: AbortSignal): void;
  /** Resolves, aborted or not, with whether it was. */
  finish(milliseconds: number, signal: AbortSignal): boolean;
  /** Blocks the thread, which then takes no message. */
  hang(signal: AbortSignal): void;
  /** Ends the thread from within. */
  exit(): void;
  crash(): void;
  note(text: string): void;
  /** Notes, and what `double` of the other thread says of each number, one after the other. */
  ask(numbers: readonly number[]): { readonly notes: readonly string[]; readonly doubled: readonly unknown[] };
}

/** Methods that the thread calls. */
export interface TestCaller {
  double(value: number): number;
  seen(value: number): void;
}
