interface Placed {
  readonly id: number;
  readonly position: number;
}

/**
 * Computes new positions for some fetches of a sequence; those moved keep their relative order.
 *
 * @param sequence all of one priority, in order.
 * @returns only the changed positions.
 */
export function moved(
  sequence: readonly Placed[],
  ids: ReadonlySet<number>,
  where: 'first' | 'earlier' | 'later' | 'last',
): readonly Placed[] {
  const chosen = sequence.filter(({ id }) => ids.has(id));
  const others = sequence.filter(({ id }) => !ids.has(id));
  if (chosen.length === 0 || others.length === 0) return [];
  if (where === 'first') {
    const lowest = Math.min(...ends(sequence));
    return chosen.map(({ id }, index) => ({ id, position: lowest - chosen.length + index }));
  }
  if (where === 'last') {
    const highest = Math.max(...ends(sequence));
    return chosen.map(({ id }, index) => ({ id, position: highest + 1 + index }));
  }
  const order = [...sequence];
  const step = where === 'earlier' ? 1 : -1;
  const from = where === 'earlier' ? 1 : order.length - 2;
  for (let at = from; at >= 0 && at < order.length; at += step) {
    const [here, before] = [order[at], order[at - step]];
    // One that is already at the end, or behind such a one, stays.
    if (!here || !before || !ids.has(here.id) || ids.has(before.id)) continue;
    order[at - step] = here;
    order[at] = before;
  }
  return order
    .map(({ id }, index) => ({ id, position: sequence[index]?.position ?? 0 }))
    .filter(({ id }, index) => sequence[index]?.id !== id);
}

function ends(sequence: readonly Placed[]): readonly number[] {
  return [sequence[0]?.position ?? 0, sequence.at(-1)?.position ?? 0];
}
