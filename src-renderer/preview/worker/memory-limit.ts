const pageBytes = 65_536;

/** Refuses WebAssembly of this thread any memory beyond `maxBytes`; its allocations fail then. */
export function limitWebAssemblyMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  // oxlint-disable-next-line typescript/unbound-method -- It is called with the memory as `this`.
  const { grow } = prototype;
  prototype.grow = function limited(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > maxBytes) throw new RangeError('The memory limit is reached');
    return grow.call(this, pages);
  };
}
