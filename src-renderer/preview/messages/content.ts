import {
  bitmap,
  byKind,
  bytes,
  count,
  doubles,
  finite,
  flag,
  list,
  literal,
  orNull,
  record,
  singles,
  text,
} from './check.ts';
import type { Checked } from './check.ts';
import { layout, raster, type PageLayout, type Raster } from './raster.ts';

/** The ways in which a file can be shown, the best one first. */
const view = literal('table', 'plot', 'picture', 'drawing', 'tiles', 'tree', 'text', 'bytes');
export type ViewKind = Checked<typeof view>;

const column = record<{
  readonly name: string;
  readonly isNumber: boolean;
  /** Whether its values are long texts. */
  readonly isWide: boolean;
}>({ name: text, isNumber: flag, isWide: flag });
export type Column = Checked<typeof column>;

/** The description of a file that a reader gives from its beginning. */
export const content = record<{
  /** Such as `HDF5 file`. */
  readonly format: string;
  readonly views: readonly ViewKind[];
  /** Sentences on what is not shown, and why. */
  readonly notes: readonly string[];
  readonly columns: readonly Column[];
  readonly picture: { readonly width: number; readonly height: number } | null;
  /** Path of the dataset that is shown first. */
  readonly firstDataset: string | null;
}>({
  format: text,
  views: list(view, 8),
  notes: list(text, 20),
  columns: list(column, 2000),
  picture: orNull(record<{ readonly width: number; readonly height: number }>({ width: count, height: count })),
  firstDataset: orNull(text),
});
export type Content = Checked<typeof content>;

/** A part of a text; `next` is where the following part begins, null at the end of the file. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly encoding: string;
  readonly next: number | null;
}
export interface BytesPart {
  readonly kind: 'bytes';
  readonly offset: number;
  readonly bytes: Uint8Array;
}
/** Rows of a table from a place in the file. */
export interface RowsPart {
  readonly kind: 'rows';
  readonly offset: number;
  readonly next: number | null;
  /** Number of the first row, from 1. */
  readonly firstRow: number;
  /** Whether that number was counted; it is estimated otherwise. */
  readonly isCounted: boolean;
  readonly rows: readonly (readonly string[])[];
}
/** A curve, reduced to the lowest and highest value at each place; NaN where there is none. */
export interface Curve {
  readonly kind: 'curve';
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly xName: string;
  readonly yName: string;
  /** Number of values in the file, as far as it is known. */
  readonly of: number;
  /** Whether only places spread over the file were read. */
  readonly isSampled: boolean;
}
/** A rectangle of values, row by row from the top. */
export interface Plane {
  readonly kind: 'plane';
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
  readonly name: string;
  /** Size of the whole in the file. */
  readonly fullWidth: number;
  readonly fullHeight: number;
  /** How the rectangle was made from the whole. */
  readonly extent: 'whole' | 'reduced' | 'corner';
}
export interface PictureBitmap {
  readonly kind: 'picture';
  readonly bitmap: ImageBitmap;
}
/** An SVG that was checked, for an image element. */
export interface Drawing {
  readonly kind: 'drawing';
  readonly svg: string;
}
export interface TreeChild {
  readonly name: string;
  readonly type: 'group' | 'dataset' | 'link' | 'other';
  readonly summary: string;
}
/** A group or dataset of a tree. */
export interface TreeNode {
  readonly kind: 'node';
  readonly path: string;
  readonly type: TreeChild['type'];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly children: readonly TreeChild[];
  /** Number of children, of which `children` has the first. */
  readonly childCount: number;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** The value of a small dataset, as text. */
  readonly value: string | null;
  readonly shape: readonly number[];
  readonly picture: 'none' | 'line' | 'plane';
}

export type Answer =
  | TextPart
  | BytesPart
  | RowsPart
  | Curve
  | Plane
  | PictureBitmap
  | Drawing
  | TreeNode
  | PageLayout
  | Raster;

const pair = record<{ readonly name: string; readonly value: string }>({ name: text, value: text });
const nodeType = literal('group', 'dataset', 'link', 'other');

export const answer = byKind<Answer>({
  text: record({ kind: literal('text'), text, encoding: text, next: orNull(count) }),
  bytes: record({ kind: literal('bytes'), offset: count, bytes }),
  rows: record({
    kind: literal('rows'),
    offset: count,
    next: orNull(count),
    firstRow: count,
    isCounted: flag,
    rows: list(list(text, 2000), 100_000),
  }),
  curve: record({
    kind: literal('curve'),
    x: doubles,
    low: doubles,
    high: doubles,
    xName: text,
    yName: text,
    of: finite,
    isSampled: flag,
  }),
  plane: record({
    kind: literal('plane'),
    width: count,
    height: count,
    values: singles,
    name: text,
    fullWidth: count,
    fullHeight: count,
    extent: literal('whole', 'reduced', 'corner'),
  }),
  picture: record({ kind: literal('picture'), bitmap }),
  layout,
  raster,
  drawing: record({ kind: literal('drawing'), svg: text }),
  node: record({
    kind: literal('node'),
    path: text,
    type: nodeType,
    attributes: list(pair, 1000),
    children: list(record<TreeChild>({ name: text, type: nodeType, summary: text }), 10_000),
    childCount: count,
    facts: list(pair, 100),
    value: orNull(text),
    shape: list(count, 64),
    picture: literal('none', 'line', 'plane'),
  }),
});
