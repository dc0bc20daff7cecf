import type { Page } from '@playwright/test';
import type { Scene } from './scene-steps.ts';

export const errors = '/ui/projects/lab%2Fqmr/errors';

/**
 * Screens in states that a real service reaches only with other machines, broken disks and time.
 */
/** The list of what happened, open. */
const showsHappened = async (page: Page): Promise<void> => page.getByRole('button', { name: /^What happened/ }).click();
export const happened = (
  [
    ['empty', 0, { width: 1280, height: 800 }],
    ['few', 9, { width: 1280, height: 800 }],
    ['many', 240, { width: 1920, height: 1000 }],
    ['narrow', 24, { width: 420, height: 800 }],
  ] as const
).map(([name, count, viewport]): Scene => ({
  name: `happened-${name}`,
  at: '/ui/measurements',
  options: { measurements: 12, happenings: { count } },
  viewport,
  arrange: showsHappened,
}));

/** Lists of no, some and many removed measurements. */
export const removedScenes = (
  [
    ['empty', 0, { width: 1280, height: 800 }],
    ['some', 4, { width: 1280, height: 800 }],
    ['many', 500, { width: 1920, height: 1000 }],
    ['narrow', 24, { width: 420, height: 800 }],
  ] as const
).map(([name, removed, viewport]): Scene => ({
  name: `removed-${name}`,
  at: '/ui/measurements',
  options: { measurements: 12, removed },
  viewport,
  arrange: async (page) => page.getByRole('button', { name: 'Removed measurements' }).click(),
}));
