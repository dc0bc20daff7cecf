// Bytes without a pattern that could hide a shifted or repeated block.
export const big = Buffer.alloc(9_000_000);
for (let i = 0, state = 1; i < big.length; i += 4) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  big.writeUInt32LE(state, i);
}
export const files = {
  'a-first.txt': Buffer.from('first\n'),
  'empty.dat': Buffer.alloc(0),
  'run 1/big.bin': big,
  'run 1/größe µm.csv': Buffer.from('a;b\n'),
};
