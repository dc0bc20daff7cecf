import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSlices, useManifestServer } from './manifest-server.ts';

useManifestServer();

test('read in pieces cut anywhere, a document is what JSON.parse says, or refused by both', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const document = fc
    .record({
      before: fc.dictionary(fc.string(), value),
      files: fc.array(value, { maxLength: 8 }),
      after: fc.dictionary(fc.string(), value),
      space: fc.nat(3),
    })
    .map(({ before, files, after, space }) =>
      JSON.stringify({ ...before, files, ...after, files2: files }, null, space),
    );
  const damage = fc.option(fc.tuple(fc.nat(), fc.constantFrom(',', '[', ']', '}', '{', '"', '\\', 'x', '')));
  fc.assert(
    fc.property(document, damage, fc.array(fc.nat(200), { maxLength: 6 }), (text, broken, cuts) => {
      const at = broken === null ? 0 : broken[0] % text.length;
      const whole = broken === null ? text : text.slice(0, at) + broken[1] + text.slice(at + 1);
      const bytes = Buffer.from(whole);
      const parts: Buffer[] = [];
      let from = 0;
      for (const cut of cuts) {
        parts.push(bytes.subarray(from, from + cut));
        from += cut;
      }
      parts.push(bytes.subarray(from));
      const entries: unknown[] = [];
      let around: unknown;
      try {
        around = readSlices(parts, (some) => void entries.push(...some));
      } catch (error) {
        around = error;
      }
      let expected: unknown;
      try {
        expected = JSON.parse(whole);
      } catch {
        expected = null;
      }
      if (around instanceof Error) {
        // A refused document is not JSON or lacks a single list of files; an undamaged one is never
        // refused.
        expect(broken).not.toBeNull();
      } else {
        expect({ ...(around as object), files: entries }).toEqual(expected);
      }
    }),
    { numRuns: 400 },
  );
});
