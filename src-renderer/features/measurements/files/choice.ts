/** A file or a folder: files of an unbroken range of the manifest, both ends included. */
export interface Item {
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  /** Number of files that are not as registered. */
  readonly problems: number;
}

/** An item that differs from what is around it; in it, other items may differ again. */
interface Chosen extends Item {
  readonly except: Choice;
}

/**
 * Chosen files and folders of a measurement, as few items in the order of the manifest: a chosen
 * folder is one item, a file left out of it is an exception of that item. Two items are either apart
 * or one is in the other, as folders are.
 */
export type Choice = readonly Chosen[];

export const nothingChosen: Choice = [];

/** How much is chosen. */
export interface Amount {
  readonly files: number;
  readonly bytes: number;
  readonly problems: number;
}

/** Adds items to a choice, or takes them out of it. */
export function withItems(choice: Choice, items: readonly Item[], chosen: boolean): Choice {
  return change(choice, outermost(items), chosen, false);
}

function change(choice: Choice, items: readonly Item[], chosen: boolean, around: boolean): Choice {
  const result: Chosen[] = [];
  let at = 0;
  for (const one of choice) {
    // Items before it stand in what is around it.
    for (let item = items[at]; item !== undefined && item.last < one.first; item = items[++at])
      if (chosen !== around) result.push({ ...item, except: nothingChosen });
    const inside: Item[] = [];
    let covered = false;
    for (let item = items[at]; item !== undefined && item.first <= one.last; item = items[at]) {
      if (item.first <= one.first && item.last >= one.last) {
        covered = true;
        break;
      }
      inside.push(item);
      at += 1;
    }
    if (!covered)
      result.push(inside.length === 0 ? one : { ...one, except: change(one.except, inside, chosen, !around) });
  }
  if (chosen !== around) for (const item of items.slice(at)) result.push({ ...item, except: nothingChosen });
  return result;
}

/** The items that are in no other one, in the order of the manifest. */
function outermost(items: readonly Item[]): readonly Item[] {
  const result: Item[] = [];
  for (const item of items.toSorted((a, b) => a.first - b.first || b.last - a.last))
    if (item.last > (result.at(-1)?.last ?? -1)) result.push(item);
  return result;
}

/** Whether all, some or none of the files of an item are chosen. */
export function chosenOf(choice: Choice, item: Pick<Item, 'first' | 'last'>): 'all' | 'some' | 'none' {
  return stateIn(choice, item, false);
}

function stateIn(choice: Choice, item: Pick<Item, 'first' | 'last'>, around: boolean): 'all' | 'some' | 'none' {
  let low = 0;
  let high = choice.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((choice[middle]?.last ?? 0) < item.first) low = middle + 1;
    else high = middle;
  }
  const one = choice[low];
  if (one === undefined || one.first > item.last) return around ? 'all' : 'none';
  if (one.first <= item.first && one.last >= item.last) return stateIn(one.except, item, !around);
  const covered = coveredBy(choice, item);
  if (covered === 0) return around ? 'all' : 'none';
  if (covered === item.last - item.first + 1) return around ? 'none' : 'all';
  return 'some';
}

/** Number of files of an item that these ranges contain. */
function coveredBy(choice: Choice, { first, last }: Pick<Item, 'first' | 'last'>): number {
  let files = 0;
  for (const range of rangesOf(choice))
    files += Math.max(0, Math.min(range.last, last) - Math.max(range.first, first) + 1);
  return files;
}

/** Number, bytes and problems of the chosen files. */
export function amountOf(choice: Choice): Amount {
  let [files, bytes, problems] = [0, 0, 0];
  for (const { first, last, except, ...item } of choice) {
    const without = amountOf(except);
    files += last - first + 1 - without.files;
    bytes += item.bytes - without.bytes;
    problems += item.problems - without.problems;
  }
  return { files, bytes, problems };
}

/** The chosen files as ranges of the manifest, both ends included, in order and merged. */
export function rangesOf(choice: Choice): readonly { readonly first: number; readonly last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  const add = (first: number, last: number): void => {
    const before = ranges.at(-1);
    if (last < first) return;
    if (before !== undefined && before.last + 1 === first) before.last = last;
    else ranges.push({ first, last });
  };
  for (const { first, last, except } of choice) {
    let from = first;
    for (const left of rangesOf(except)) {
      add(from, left.first - 1);
      from = left.last + 1;
    }
    add(from, last);
  }
  return ranges;
}
