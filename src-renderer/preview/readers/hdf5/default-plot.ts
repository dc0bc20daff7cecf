import type { Dataset, Group } from 'h5wasm';
import type { Hdf5File } from './open-hdf5.ts';
import { pictureOf } from './describe-node.ts';

/** Groups and datasets that are looked at to find one to begin with. */
const maxVisited = 60;
const maxSteps = 8;

/** An attribute as text; null where there is none. NeXus allows a list of one for a single text. */
function textAttribute(group: Group | Dataset, name: string): string | null {
  const value: unknown = group.attrs[name]?.value;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : null;
}

const join = (path: string, name: string): string => `${path === '/' ? '' : path}/${name}`;

/**
 * The dataset that a file wants to be shown first: where its attributes `default` and `signal` lead
 * (NeXus), or else the first one with numbers; null where none was found soon.
 */
export function defaultDataset(file: Hdf5File): string | null {
  try {
    return file.guarded(() => byAttributes(file) ?? firstNumbers(file));
  } catch {
    // The tree says what is damaged.
    return null;
  }
}

function byAttributes(file: Hdf5File): string | null {
  let path = '/';
  for (let step = 0; step < maxSteps; step += 1) {
    const group = path === '/' ? file.root : file.root.get(path);
    if (!file.isGroup(group)) return file.isDataset(group) && pictureOf(group) !== 'none' ? path : null;
    const signal = signalOf(file, group);
    if (signal !== null) return join(path, signal);
    const next = textAttribute(group, 'default');
    if (next === null) return null;
    path = join(path, next);
  }
  return null;
}

/** The name of the signal of an NXdata group; older files mark the dataset itself. */
function signalOf(file: Hdf5File, group: Group): string | null {
  const name = textAttribute(group, 'signal');
  if (name !== null) return file.isDataset(group.get(name)) ? name : null;
  if (textAttribute(group, 'NX_class') !== 'NXdata') return null;
  const marked = group
    .keys()
    .slice(0, maxVisited)
    .find((key) => {
      const child = group.get(key);
      return file.isDataset(child) && child.attrs['signal'] !== undefined;
    });
  return marked ?? null;
}

function firstNumbers(file: Hdf5File): string | null {
  const open: string[] = ['/'];
  let best: string | null = null;
  for (let visited = 0; visited < maxVisited; visited += 1) {
    const path = open.shift();
    if (path === undefined) break;
    const entity = path === '/' ? file.root : file.root.get(path);
    if (file.isGroup(entity)) {
      const signal = signalOf(file, entity);
      if (signal !== null) return join(path, signal);
      open.push(
        ...entity
          .keys()
          .slice(0, maxVisited)
          .map((key) => join(path, key)),
      );
    } else if (file.isDataset(entity) && best === null && pictureOf(entity) !== 'none') {
      best = path;
    }
  }
  return best;
}

/** The axis of a signal with one dimension, as its NXdata group names it. */
export function axisOf(
  file: Hdf5File,
  path: string,
  length: number,
): { readonly name: string; readonly dataset: Dataset } | null {
  try {
    return file.guarded(() => {
      const cut = path.lastIndexOf('/');
      const group = cut <= 0 ? file.root : file.root.get(path.slice(0, cut));
      if (!file.isGroup(group) || textAttribute(group, 'signal') !== path.slice(cut + 1)) return null;
      const name = textAttribute(group, 'axes');
      const dataset = name === null || name === '.' ? null : group.get(name);
      if (name === null || !file.isDataset(dataset) || pictureOf(dataset) !== 'line') return null;
      return dataset.shape?.length === 1 && dataset.shape[0] === length ? { name, dataset } : null;
    });
  } catch {
    return null;
  }
}
