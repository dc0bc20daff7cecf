import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NotificationKind } from '../../../src-main/service/contract/notifications/notifications.ts';

test('the guide for administrators lists all kinds of the contract', async () => {
  const guide = await readFile(path.join(import.meta.dirname, '../../../docs/administrator-guide.md'), 'utf8');
  const [, section = ''] = guide.split('## Tell people what happens\n');
  const [table = ''] = section.split('\n## ');
  const listed = [...table.matchAll(/^\| `([a-z-]+)` /gm)].map(([, kind = '']) => kind);
  expect(new Set(listed)).toEqual(new Set(NotificationKind.enum));
  expect(listed).toHaveLength(NotificationKind.enum.length);
});
