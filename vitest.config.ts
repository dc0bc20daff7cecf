import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{service,cli,renderer,shell}/**/*.test.{ts,tsx}', 'test/clients/**/*.test.ts', 'test/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
});
