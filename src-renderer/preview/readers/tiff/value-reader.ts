import { rowBytesOf, type ValueForm } from './value-form.ts';

/** A value of a tile by the place of its pixel and its number among the values of that pixel. */
export type ValueReader = (x: number, y: number, sample: number) => number;

/**
 * Reads single values of an unpacked tile.
 *
 * @param width of the tile, in pixels.
 */
export function valueReaderOf(bytes: Uint8Array, form: ValueForm, width: number): ValueReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { bits, together } = form;
  const rowBytes = rowBytesOf(form, width);
  if (bits === 8 && form.format === 1) return (x, y, sample) => bytes[y * rowBytes + x * together + sample] ?? 0;
  if (bits % 8 !== 0) {
    return (x, y, sample) => {
      const bit = (x * together + sample) * bits;
      const at = y * rowBytes + Math.floor(bit / 8);
      const word = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      return (word >> (16 - bits - (bit % 8))) & ((1 << bits) - 1);
    };
  }
  const read = numberReader(view, form);
  const valueBytes = bits / 8;
  return (x, y, sample) => read(y * rowBytes + (x * together + sample) * valueBytes);
}

function numberReader(view: DataView, { bits, format, isLittleEndian }: ValueForm): (at: number) => number {
  if (format === 3) {
    if (bits === 16) return (at) => halfOf(view.getUint16(at, isLittleEndian));
    return bits === 32 ? (at) => view.getFloat32(at, isLittleEndian) : (at) => view.getFloat64(at, isLittleEndian);
  }
  if (format === 2) {
    if (bits === 8) return (at) => view.getInt8(at);
    return bits === 16 ? (at) => view.getInt16(at, isLittleEndian) : (at) => view.getInt32(at, isLittleEndian);
  }
  return bits === 16 ? (at) => view.getUint16(at, isLittleEndian) : (at) => view.getUint32(at, isLittleEndian);
}

/** A number of IEEE 754 of 16 bits. */
function halfOf(word: number): number {
  const exponent = (word >> 10) & 31;
  const fraction = word & 1023;
  const sign = word >= 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
