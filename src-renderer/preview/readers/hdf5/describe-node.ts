import type { Attribute, Dataset, Entity, Group } from 'h5wasm';
import type { TreeChild, TreeNode } from '../../messages/content.ts';
import { malformed } from '../../provider/preview-error.ts';
import { filterName } from './filter-names.ts';
import type { Hdf5File } from './open-hdf5.ts';
import { isNumeric, maxValueBytes, shapeWords, typeWords, valueWords } from './values.ts';

/** Children that are named; opening each of them costs a look into the file. */
const maxChildren = 500;
const maxAttributes = 200;
const maxName = 500;

/** How a dataset can be drawn. */
export function pictureOf(dataset: Dataset): TreeNode['picture'] {
  const { shape } = dataset;
  if (shape === null || shape.length === 0 || shape.includes(0) || !isNumeric(dataset.metadata)) return 'none';
  const isPlane = shape.length > 1 && (shape.at(-1) ?? 0) > 1 && (shape.at(-2) ?? 0) > 1;
  return isPlane ? 'plane' : 'line';
}

/** @throws PreviewError where nothing is at this path. */
export function describeNode(file: Hdf5File, path: string): TreeNode {
  const entity = file.at(path);
  if (file.isDataset(entity)) return describeDataset(file, path, entity);
  if (file.isGroup(entity)) return describeGroup(file, path, entity);
  throw malformed(`There is no group or dataset at ${path}.`);
}

function describeGroup(file: Hdf5File, path: string, group: Group): TreeNode {
  const names = file.guarded(() => group.keys());
  return {
    kind: 'node',
    path,
    type: 'group',
    attributes: attributesOf(file, group),
    children: names.slice(0, maxChildren).map((name) => describeChild(file, group, name)),
    childCount: names.length,
    facts: [],
    value: null,
    shape: [],
    picture: 'none',
  };
}

/** A damaged child does not hide the others. */
function describeChild(file: Hdf5File, group: Group, name: string): TreeChild {
  const shown = name.slice(0, maxName);
  try {
    return file.guarded(() => ({ name: shown, ...summaryOf(file, group.get(name)) }));
  } catch {
    return { name: shown, type: 'other', summary: 'damaged' };
  }
}

function summaryOf(file: Hdf5File, entity: Entity | null): Omit<TreeChild, 'name'> {
  if (file.isDataset(entity))
    return { type: 'dataset', summary: `${shapeWords(entity.shape)}, ${typeWords(entity.metadata)}` };
  if (file.isGroup(entity)) return { type: 'group', summary: '' };
  if (entity !== null && 'filename' in entity && 'obj_path' in entity)
    return { type: 'link', summary: 'in another file' };
  if (entity !== null && 'target' in entity) return { type: 'link', summary: 'leads nowhere' };
  return { type: 'other', summary: '' };
}

function describeDataset(file: Hdf5File, path: string, dataset: Dataset): TreeNode {
  const { metadata, filters } = file.guarded(() => ({ metadata: dataset.metadata, filters: dataset.filters }));
  const { shape, chunks, size, total_size: total } = metadata;
  const packed = filters.map(({ id }) => filterName(id)).join(', ');
  return {
    kind: 'node',
    path,
    type: 'dataset',
    attributes: attributesOf(file, dataset),
    children: [],
    childCount: 0,
    facts: [
      { name: 'Shape', value: shapeWords(shape) },
      { name: 'Type', value: typeWords(metadata) },
      ...(chunks === null ? [] : [{ name: 'Chunks', value: chunks.join(' × ') }]),
      ...(packed === '' ? [] : [{ name: 'Packed with', value: packed }]),
    ],
    value: total <= 100 && total * size <= maxValueBytes ? valueOf(file, dataset) : null,
    shape: shape ?? [],
    picture: file.guarded(() => pictureOf(dataset)),
  };
}

function valueOf(file: Hdf5File, of: Dataset | Attribute): string {
  try {
    return file.guarded(() => valueWords(of.value));
  } catch {
    return 'cannot be read';
  }
}

function attributesOf(file: Hdf5File, of: Group | Dataset): TreeNode['attributes'] {
  const attributes = file.guarded(() => Object.values(of.attrs).slice(0, maxAttributes));
  return attributes.map((attribute) => {
    const { size, total_size: total } = attribute.metadata;
    const value = size * total <= maxValueBytes ? valueOf(file, attribute) : 'too long to be shown';
    return { name: attribute.name.slice(0, maxName), value };
  });
}
