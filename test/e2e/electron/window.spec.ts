import { expect, test } from './launch.ts';

test('the window opens and reaches the service', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready \d+$/);
  expect(page.url()).toBe('app://local/');
});
