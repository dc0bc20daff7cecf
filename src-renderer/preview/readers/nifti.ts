import type { Plane } from '../messages/content.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { arrayNode, rootNode, type Fact } from './common/facts.ts';
import { unpackByRange, type Unpacked } from './common/unpack-by-range.ts';
import { hasBytes, hasText } from './common/magic.ts';
import { reducePlane } from './common/reduce-plane.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const place = '/image';
const headerBytes = 352;
const maxPlaneBytes = 16 * 1024 * 1024;

type Read = (view: DataView, at: number, isLittle: boolean) => number;
interface ValueType {
  readonly name: string;
  readonly size: number;
  readonly read: Read;
}

/** Numbers of the types in the header (nifti1.h, datatype). */
const types: Readonly<Record<number, ValueType>> = {
  2: { name: 'unsigned 8 bits', size: 1, read: (view, at) => view.getUint8(at) },
  4: { name: '16 bits', size: 2, read: (view, at, little) => view.getInt16(at, little) },
  8: { name: '32 bits', size: 4, read: (view, at, little) => view.getInt32(at, little) },
  16: { name: '32 bits, floating', size: 4, read: (view, at, little) => view.getFloat32(at, little) },
  64: { name: '64 bits, floating', size: 8, read: (view, at, little) => view.getFloat64(at, little) },
  256: { name: '8 bits', size: 1, read: (view, at) => view.getInt8(at) },
  512: { name: 'unsigned 16 bits', size: 2, read: (view, at, little) => view.getUint16(at, little) },
  768: { name: 'unsigned 32 bits', size: 4, read: (view, at, little) => view.getUint32(at, little) },
};

interface NiftiHeader {
  readonly isLittle: boolean;
  /** Lengths of the dimensions, the one that varies fastest first. */
  readonly sides: readonly number[];
  readonly type: ValueType;
  readonly offset: number;
  readonly slope: number;
  readonly intercept: number;
  readonly description: string;
  readonly spacing: readonly number[];
}

/** NIfTI-1 in one file: slices as pictures, with a slider for each further dimension. */
export const niftiReader: Reader = {
  matches: ({ head }) => isNifti(head),
  open: async (source, { head }) => openImage(source, head, 'NIfTI image'),
};

/** The same packed with gzip, as most of them are; what it is shows only when it is unpacked. */
export const packedNiftiReader: Reader = {
  matches: ({ head, name }) => name.endsWith('.nii.gz') && hasBytes(head, 0, [0x1f, 0x8b]),
  async open(source) {
    const unpacked = unpackByRange(source, { format: 'gzip', from: 0 });
    const head = await unpacked.read(0, headerBytes);
    if (!isNifti(head)) throw malformed('What is packed in the file is no NIfTI-1 image.');
    return openImage(unpacked, head, 'NIfTI image, packed with gzip');
  },
};

const isNifti = (head: Uint8Array): boolean => hasText(head, 344, 'n+1\0');

function openImage(source: Unpacked, head: Uint8Array, format: string): OpenedFile {
  const header = headerOf(head);
  // Rows of the file run along the first dimension, and the last one varies slowest.
  const shape = header.sides.toReversed();
  return {
    content: { ...plainContent(format, ['tree']), firstDataset: place },
    async answer(question) {
      if (question.kind === 'plane') return planeOf(source, header, question.at);
      if (question.kind !== 'node') throw malformed('A NIfTI image has no such part.');
      if (question.path === place) return arrayNode(place, shape, shape.length < 2 ? 'none' : 'plane', factsOf(header));
      return rootNode(factsOf(header), [], [{ name: 'image', type: 'dataset', summary: shape.join(' × ') }]);
    },
  };
}

function headerOf(head: Uint8Array): NiftiHeader {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isLittle = view.getInt32(0, true) === 348;
  if (!isLittle && view.getInt32(0, false) !== 348) throw malformed('The header does not have the length of NIfTI-1.');
  const dimensions = view.getInt16(40, isLittle);
  const sides = Array.from({ length: Math.min(7, Math.max(0, dimensions)) }, (_, at) =>
    view.getInt16(42 + 2 * at, isLittle),
  );
  const type = types[view.getInt16(70, isLittle)];
  const offset = view.getFloat32(108, isLittle);
  if (sides.length === 0 || sides.some((side) => side < 1)) throw malformed('The header states no size.');
  if (type === undefined)
    throw new PreviewError('limit', 'The image has values of a type that is not drawn, such as colours.');
  if (!(offset >= headerBytes)) throw malformed('The header does not say where the values are.');
  return {
    isLittle,
    sides: sides.filter((side, at) => side > 1 || at < 2),
    type,
    offset: Math.floor(offset),
    slope: view.getFloat32(112, isLittle) || 1,
    intercept: view.getFloat32(116, isLittle) || 0,
    description: new TextDecoder('latin1').decode(head.subarray(148, 228)).replaceAll('\0', '').trim(),
    spacing: sides.map((_, at) => view.getFloat32(80 + 4 * at, isLittle)),
  };
}

async function planeOf(source: Unpacked, header: NiftiHeader, at: readonly number[]): Promise<Plane> {
  const { sides, type, isLittle, slope, intercept } = header;
  const [width = 1, height = 1, ...further] = sides;
  const bytes = width * height * type.size;
  if (bytes > maxPlaneBytes) throw new PreviewError('limit', 'One slice is larger than a preview reads.');
  // The slider of the slowest dimension comes first.
  const places = further.toReversed().map((side, axis) => Math.min(Math.max(0, at[axis] ?? 0), side - 1));
  const index = places.reduce((sum, one, axis) => sum * (further.toReversed()[axis] ?? 1) + one, 0);
  const read = await source.read(header.offset + index * bytes, bytes);
  if (read.length < bytes) throw malformed('The file ends before this slice.');
  const view = new DataView(read.buffer, read.byteOffset, read.byteLength);
  const values = Float64Array.from(
    { length: width * height },
    (_, value) => type.read(view, value * type.size, isLittle) * slope + intercept,
  );
  const reduced = reducePlane(values, width, height);
  const isWhole = reduced.width === width && reduced.height === height;
  return {
    kind: 'plane',
    ...reduced,
    name: 'image',
    fullWidth: width,
    fullHeight: height,
    extent: isWhole ? 'whole' : 'reduced',
  };
}

function factsOf({ sides, type, description, spacing }: NiftiHeader): Fact[] {
  return [
    { name: 'Size', value: sides.join(' × ') },
    { name: 'Values', value: type.name },
    { name: 'Distances', value: spacing.map((value) => String(Number(value.toPrecision(4)))).join(' × ') },
    ...(description === '' ? [] : [{ name: 'Description', value: description }]),
  ];
}
