import type { Dataset } from 'h5wasm';
import type { Curve, Plane } from '../../messages/content.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { CurveBuilder, maxPlaces, planSampling } from '../common/curve.ts';
import { reducePlane } from '../common/reduce-plane.ts';
import { axisOf } from './default-plot.ts';
import { foreignFilter } from './load-filters.ts';
import type { Hdf5File } from './open-hdf5.ts';
import { isNumeric, toDoubles } from './values.ts';

const mebibyte = 1024 * 1024;
/** Most bytes of a curve, and of a plane that is not chunked; chunks are packed, so more are unpacked. */
const maxDirectBytes = 8 * mebibyte;
const maxUnpackedBytes = 32 * mebibyte;
const windowBytes = 64 * 1024;

interface Numbers {
  readonly dataset: Dataset;
  readonly shape: readonly number[];
  /** Of a value, in bytes. */
  readonly size: number;
  readonly chunks: readonly number[] | null;
}

function numbersAt(file: Hdf5File, path: string): Numbers {
  const dataset = file.at(path);
  if (!file.isDataset(dataset)) throw malformed(`There is no dataset at ${path}.`);
  return file.guarded(() => {
    const { shape, metadata } = dataset;
    const { chunks, size } = metadata;
    if (shape === null || shape.length === 0 || shape.includes(0) || !isNumeric(metadata))
      throw malformed('This dataset has no numbers to draw.');
    const foreign = foreignFilter(dataset);
    if (foreign !== null)
      throw new PreviewError('limit', `The dataset is packed with ${foreign}, which a preview cannot unpack.`);
    const chunkBytes = (chunks ?? [0]).reduce((product, side) => product * side, size);
    if (chunkBytes > maxUnpackedBytes)
      throw new PreviewError('limit', 'The chunks of this dataset are larger than the 32 MiB that a preview unpacks.');
    return { dataset, shape, size, chunks };
  });
}

/** Ranges of the leading dimensions, in which one place is shown. */
function placeOf(shape: readonly number[], at: readonly number[], shown: 1 | 2): [number, number][] {
  return shape.slice(0, shape.length - shown).map((length, axis) => {
    const place = Math.min(Math.max(0, at[axis] ?? 0), length - 1);
    return [place, place + 1];
  });
}

/** How many times more is unpacked than shown, because chunks reach into the other dimensions. */
function unpackedTimes(chunks: readonly number[] | null, shown: 1 | 2): number {
  return (chunks ?? []).slice(0, -shown).reduce((product, side) => product * side, 1);
}

/** The values along the last dimension as a curve, over the axis that NeXus names for them. */
export function readLine(file: Hdf5File, path: string, at: readonly number[]): Curve {
  const { dataset, shape, size, chunks } = numbersAt(file, path);
  const total = shape.at(-1) ?? 0;
  const chunkLength = chunks?.at(-1) ?? 1;
  const maxValues = Math.max(chunkLength, Math.floor(maxDirectBytes / size / unpackedTimes(chunks, 1)));
  const plan = planSampling(total, maxValues, Math.max(Math.ceil(windowBytes / size), chunkLength));
  const named = shape.length === 1 ? axisOf(file, path, total) : null;
  const axis = named === null || file.guarded(() => foreignFilter(named.dataset)) !== null ? null : named;
  const leading = placeOf(shape, at, 1);
  const builder = new CurveBuilder();
  for (const start of plan.starts) {
    const end = Math.min(total, start + plan.windowLength);
    const y = file.guarded(() => toDoubles(dataset.slice([...leading, [start, end]])));
    const x =
      axis === null
        ? Float64Array.from(y, (_, index) => start + index)
        : file.guarded(() => toDoubles(axis.dataset.slice([[start, end]])));
    builder.add(x, y, Math.ceil(maxPlaces / plan.starts.length));
  }
  return builder.build({
    xName: axis?.name ?? 'Index',
    yName: path.slice(path.lastIndexOf('/') + 1),
    of: total,
    isSampled: plan.isSampled,
  });
}

/** The values of the last two dimensions; of a large plane its first rows and columns. */
export function readPlane(file: Hdf5File, path: string, at: readonly number[]): Plane {
  const { dataset, shape, size, chunks } = numbersAt(file, path);
  if (shape.length < 2) throw malformed('This dataset has one dimension.');
  const [fullHeight = 0, fullWidth = 0] = shape.slice(-2);
  const maxValues = Math.floor((chunks === null ? maxDirectBytes : maxUnpackedBytes) / size / unpackedTimes(chunks, 2));
  const [chunkHeight = 1, chunkWidth = 1] = chunks?.slice(-2) ?? [];
  const columns = Math.min(fullWidth, Math.max(chunkWidth, Math.floor(maxValues / chunkHeight)));
  const rows = Math.min(fullHeight, Math.max(chunkHeight, Math.floor(maxValues / columns)));
  const values = file.guarded(() => toDoubles(dataset.slice([...placeOf(shape, at, 2), [0, rows], [0, columns]])));
  const reduced = reducePlane(values, columns, rows);
  const isCorner = rows < fullHeight || columns < fullWidth;
  return {
    kind: 'plane',
    ...reduced,
    name: path.slice(path.lastIndexOf('/') + 1),
    fullWidth,
    fullHeight,
    extent: isCorner ? 'corner' : reduced.width < columns || reduced.height < rows ? 'reduced' : 'whole',
  };
}
