import { expect, test } from 'vitest';
import { commands } from '../../../src-renderer/context/command-catalogue.ts';
import { destroyersLast, destroys } from '../../../src-renderer/app/palette/palette-order.ts';

test('the palette moves destructive commands to the end and keeps the order otherwise', () => {
  const entries = ['revoke', 'a', 'remove', 'b'].map((id) => ({ id, destroys: id.startsWith('re') }));
  expect(destroyersLast(entries).map(({ id }) => id)).toEqual(['a', 'b', 'revoke', 'remove']);
});

test('every command that deletes, removes, revokes, rotates or renews counts as destructive', () => {
  const verbs = /^(Delete|Remove|Revoke|Rotate|Renew|Stop)\b/;
  const missed = commands.filter(({ id, title }) => verbs.test(title) && !destroys(id)).map(({ id }) => id);
  expect(missed).toEqual([]);
});
