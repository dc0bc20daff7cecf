import type { CaptureRule } from '../../../api/requests/types.ts';

/** Rules whose folder is away or whose runs need somebody first, then by name. */
export function rulesInOrder(rules: readonly CaptureRule[]): readonly CaptureRule[] {
  const rank = ({ state, counts }: CaptureRule): number => (state === 'unreachable' ? 0 : counts.needs_you > 0 ? 1 : 2);
  return rules.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}
