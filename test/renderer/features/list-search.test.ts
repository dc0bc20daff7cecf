import { expect, test } from 'vitest';
import { columnTemplate, columns, visibleColumns } from '../../../src-renderer/features/measurements/list/columns.ts';
import {
  listQueryOf,
  nextOrder,
  readListSearch,
} from '../../../src-renderer/features/measurements/list/list-search.ts';
import { soundPreferences } from '../../../src-renderer/context/preferences.ts';

test('valid parameters of an address are accepted', () => {
  expect(readListSearch({ search: 'qmr', sort: 'title', order: 'asc', other: 1 })).toEqual({
    search: 'qmr',
    sort: 'title',
    order: 'asc',
  });
  expect(readListSearch({ search: 2026, sort: 'password', order: 'up' })).toEqual({ search: '2026' });
  expect(readListSearch({ search: { a: 1 } })).toEqual({});
  expect(readListSearch({ search: 'x'.repeat(500) }).search).toHaveLength(200);
});

test('the newest are first, names ascend, and a second click reverses the order', () => {
  expect(listQueryOf({})).toEqual({ search: '', sort: 'created_at', order: 'desc', problems: false });
  const bySize = nextOrder(listQueryOf({}), 'total_bytes');
  expect(bySize).toEqual({ sort: 'total_bytes', order: 'desc' });
  expect(nextOrder(listQueryOf(bySize), 'total_bytes')).toEqual({ sort: 'total_bytes', order: 'asc' });
  expect(nextOrder(listQueryOf(bySize), 'id')).toEqual({ sort: 'id', order: 'asc' });
});

test('a narrow list keeps the name and hides the least important columns', () => {
  expect(visibleColumns(2000)).toEqual(columns);
  expect(visibleColumns(500).map((column) => column.sort)).toEqual(['id', 'total_bytes', 'state']);
  expect(visibleColumns(0).map((column) => column.sort)).toEqual(['id']);
  expect(columnTemplate(visibleColumns(500), { total_bytes: 130 })).toBe('minmax(120px, 1fr) 130px 132px');
});

test('invalid stored preferences are tolerated', () => {
  const chart = { errorChart: '24h', errorChartOpen: true, refusalsFolded: false, showsPictures: false };
  const defaults = { theme: 'system', units: 'iec', inspectorWidth: null, columns: {}, ...chart };
  expect(soundPreferences(null)).toEqual(defaults);
  expect(soundPreferences({ theme: 'pink', columns: [], errorChart: '1y', showsPictures: 'yes' })).toEqual(defaults);
  // A width stored before it followed the window was not chosen by the user.
  expect(soundPreferences({ inspectorWidth: 440 })).toEqual(defaults);
  expect(soundPreferences({ theme: 'dark', inspectorWidth: 9999, columns: { state: 1, title: '2' } })).toEqual({
    theme: 'dark',
    units: 'iec',
    inspectorWidth: 760,
    columns: { state: 56 },
    ...chart,
  });
});
