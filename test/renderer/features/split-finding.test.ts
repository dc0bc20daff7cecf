import { expect, test } from 'vitest';
import { splitFinding } from '../../../src-renderer/features/measurements/dialogs/warnings.ts';

test('U7: a finding is split into name and reason, also where the name has a colon', () => {
  expect(splitFinding('raw/a: b: it is a link')).toEqual({ name: 'raw/a: b', reason: 'it is a link' });
  expect(splitFinding('and 7 more')).toEqual({ name: null, reason: 'and 7 more' });
});
