import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';

const ci = Boolean(process.env['CI']);
// The same engine without the windows of a browser around it takes a third less time; not every release has it.
const shell = '/usr/bin/chromium-headless-shell';
const chromium = existsSync(shell) ? shell : '/usr/bin/chromium';

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/playwright',
  forbidOnly: ci,
  retries: 0,
  workers: 4,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  // A trace of each test takes as long as the tests; the second look at what failed has one (scripts/test.mjs).
  use: { trace: 'off', video: 'off' },
  projects: [
    {
      name: 'browser',
      testDir: 'test/e2e/browser',
      use: { launchOptions: { executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] } },
    },
    { name: 'electron', testDir: 'test/e2e/electron' },
  ],
});
