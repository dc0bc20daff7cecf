import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The soak takes as long as it takes and waits most of that time: it begins first, beside what computes, and is not what all wait for in the end. */
class SoakFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSoak = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/soak/');
    // oxlint-disable-next-line unicorn/no-array-sort -- The sequencer's own, which gives a new list.
    const sorted = await super.sort(files);
    return [...sorted.filter(isSoak), ...sorted.filter((file) => !isSoak(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 4,
    sequence: { sequencer: SoakFirst },
  },
});
