import type { PageShape, TiffOptions } from './tiff-shape.ts';
import { pack } from './tiff-packing.ts';

/** Bytes of a file by their places; what lies between is zeros. */
export interface SparseFile {
  readonly length: number;
  readonly parts: readonly { readonly offset: number; readonly bytes: Buffer }[];
}

type Field = readonly [tag: number, type: number, values: readonly number[] | Buffer];

const typeBytes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 16: 8 };

/** Writes a TIFF whose directories lie before their values, as common programs do. */
export class TiffWriter {
  readonly #options: TiffOptions;
  readonly #parts: { readonly offset: number; readonly bytes: Buffer }[] = [];
  #end: number;
  /** Where the place of the next page's directory is written. */
  #link: number;

  constructor(options: TiffOptions = {}) {
    this.#options = options;
    const isBig = options.isBig === true;
    this.#end = isBig ? 16 : 8;
    this.#link = isBig ? 8 : 4;
    const head = Buffer.alloc(this.#end);
    head.write(options.isBigEndian === true ? 'MM' : 'II');
    this.#short(head, 2, isBig ? 43 : 42);
    if (isBig) this.#short(head, 4, 8);
    this.#put(0, head);
  }

  /** Adds a page and its smaller forms; returns the places of their directories. */
  add(page: PageShape): readonly number[] {
    const levels = page.levels ?? 0;
    const places = [this.#directory(page, 0, levels)];
    this.#writeOffset(this.#link, places[0] ?? 0);
    const [first = 0] = places;
    for (let level = 1; level <= levels; level += 1) {
      const place = this.#directory(page, level, 0);
      this.#writeOffset(this.#subListOf(first, levels) + (level - 1) * this.#offsetBytes, place);
      places.push(place);
    }
    this.#link = this.#nextOf.get(first) ?? 0;
    return places;
  }

  end(): SparseFile {
    return { length: this.#end, parts: this.#parts };
  }

  bytes(): Uint8Array {
    const whole = Buffer.alloc(this.#end);
    for (const { offset, bytes } of this.#parts) bytes.copy(whole, offset);
    return new Uint8Array(whole);
  }

  readonly #nextOf = new Map<number, number>();
  readonly #subLists = new Map<number, number>();

  get #offsetBytes(): number {
    return this.#options.isBig === true ? 8 : 4;
  }

  #subListOf(place: number, levels: number): number {
    return this.#subLists.get(place) ?? levels;
  }

  #put(offset: number, bytes: Buffer): void {
    this.#parts.push({ offset, bytes });
    this.#end = Math.max(this.#end, offset + bytes.length);
  }

  #short(buffer: Buffer, at: number, value: number): void {
    if (this.#options.isBigEndian === true) buffer.writeUInt16BE(value, at);
    else buffer.writeUInt16LE(value, at);
  }

  #number(buffer: Buffer, at: number, value: number, bytes: number): void {
    const isBigEndian = this.#options.isBigEndian === true;
    if (bytes === 8 && isBigEndian) buffer.writeBigUInt64BE(BigInt(value), at);
    else if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else if (bytes === 4 && isBigEndian) buffer.writeUInt32BE(value, at);
    else if (bytes === 4) buffer.writeUInt32LE(value, at);
    else if (bytes === 2) this.#short(buffer, at, value);
    else buffer.writeUInt8(value, at);
  }

  #writeOffset(at: number, value: number): void {
    const buffer = Buffer.alloc(this.#offsetBytes);
    this.#number(buffer, 0, value, this.#offsetBytes);
    this.#put(at, buffer);
  }

  #directory(page: PageShape, level: number, subLevels: number): number {
    const [width, height] = [page.width >> level, page.height >> level];
    const { bits = 16, samples = 1, method = 1, format = 1 } = page;
    const [tileWidth, tileHeight] = page.tile ?? [width, Math.min(height, page.rowsPerStrip ?? height)];
    const planes = page.isPlanar === true ? samples : 1;
    const count = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight) * planes;
    const offsetType = this.#options.isBig === true ? 16 : 4;
    const isTiled = page.tile !== undefined;
    const blank = Array.from({ length: count }, () => 0);
    const fields: Field[] = [
      [254, 4, [level > 0 ? 1 : 0]],
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, Array.from({ length: samples }, () => bits)],
      [259, 3, [method]],
      [262, 3, [page.photometric ?? 1]],
      ...(level > 0 || page.description === undefined ? [] : [[270, 2, Buffer.from(`${page.description}\0`)] as const]),
      ...(isTiled ? [] : [[273, offsetType, blank] as const]),
      [277, 3, [samples]],
      ...(isTiled ? [] : [[278, 4, [tileHeight]] as const, [279, 4, blank] as const]),
      [284, 3, [planes > 1 ? 2 : 1]],
      ...(page.isPredicted === true ? [[317, 3, [2]] as const] : []),
      ...(page.palette === undefined ? [] : [[320, 3, page.palette] as const]),
      ...(isTiled
        ? [[322, 4, [tileWidth]] as const, [323, 4, [tileHeight]] as const, [324, offsetType, blank] as const]
        : []),
      ...(isTiled ? [[325, 4, blank] as const] : []),
      ...(subLevels > 0 ? [[330, offsetType, Array.from({ length: subLevels }, () => 0)] as const] : []),
      [339, 3, Array.from({ length: samples }, () => format)],
    ];
    const { place, valuesAt } = this.#writeFields(fields);
    this.#subLists.set(place, valuesAt.get(330) ?? 0);
    const offsets: number[] = [];
    const counts: number[] = [];
    for (const bytes of this.#blocks(page, level, tileWidth, tileHeight)) {
      offsets.push(this.#end);
      counts.push(typeof bytes === 'number' ? bytes : bytes.length);
      if (typeof bytes === 'number') this.#end += bytes;
      else this.#put(this.#end, bytes);
    }
    this.#writeList(valuesAt.get(isTiled ? 324 : 273) ?? 0, offsets, typeBytes[offsetType] ?? 4);
    this.#writeList(valuesAt.get(isTiled ? 325 : 279) ?? 0, counts, 4);
    return place;
  }

  #writeList(at: number, values: readonly number[], bytes: number): void {
    const list = Buffer.alloc(values.length * bytes);
    for (const [index, value] of values.entries()) this.#number(list, index * bytes, value, bytes);
    this.#put(at, list);
  }

  /** Fields with their lists behind them; each list's place is returned by its tag. */
  #writeFields(fields: readonly Field[]): { readonly place: number; readonly valuesAt: ReadonlyMap<number, number> } {
    const isBig = this.#options.isBig === true;
    const [headBytes, entryBytes] = isBig ? [8, 20] : [2, 12];
    const place = this.#end + (this.#end % 2);
    const directory = Buffer.alloc(headBytes + fields.length * entryBytes + this.#offsetBytes);
    this.#number(directory, 0, fields.length, headBytes);
    this.#nextOf.set(place, place + directory.length - this.#offsetBytes);
    this.#put(place, directory);
    const valuesAt = new Map<number, number>();
    for (const [index, [tag, type, values]] of fields.entries()) {
      const at = headBytes + index * entryBytes;
      this.#short(directory, at, tag);
      this.#short(directory, at + 2, type);
      this.#number(directory, at + 4, values.length, isBig ? 8 : 4);
      const bytes = (typeBytes[type] ?? 0) * values.length;
      const valueAt = at + entryBytes - this.#offsetBytes;
      const isHere = bytes <= this.#offsetBytes;
      const listAt = isHere ? place + valueAt : this.#end + (this.#end % 2);
      if (!isHere) this.#number(directory, valueAt, listAt, this.#offsetBytes);
      valuesAt.set(tag, listAt);
      if (Buffer.isBuffer(values)) this.#put(listAt, values);
      else this.#writeList(listAt, values, typeBytes[type] ?? 0);
    }
    return { place, valuesAt };
  }

  /** Packed blocks, or only their lengths where they are left out. */
  *#blocks(page: PageShape, level: number, tileWidth: number, tileHeight: number): Generator<Buffer | number> {
    const [width, height] = [page.width >> level, page.height >> level];
    const { bits = 16, samples = 1, method = 1 } = page;
    const planes = page.isPlanar === true ? samples : 1;
    const together = samples / planes;
    for (let plane = 0; plane < planes; plane += 1) {
      for (let top = 0; top < height; top += tileHeight) {
        const rows = page.tile === undefined ? Math.min(tileHeight, height - top) : tileHeight;
        for (let left = 0; left < width; left += tileWidth) {
          if (this.#options.isSparse === true && level < (page.sparseLevels ?? 1)) {
            yield (rows * tileWidth * together * bits) / 8;
            continue;
          }
          if (page.block !== undefined) {
            yield page.block;
            continue;
          }
          yield pack(this.#values(page, { level, left, top, rows, tileWidth, plane, together }), method);
        }
      }
    }
  }

  #values(
    page: PageShape,
    at: { level: number; left: number; top: number; rows: number; tileWidth: number; plane: number; together: number },
  ): Buffer {
    const { bits = 16, format = 1 } = page;
    const isBigEndian = this.#options.isBigEndian === true;
    const bytes = bits / 8;
    const block = Buffer.alloc(at.rows * at.tileWidth * at.together * bytes);
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    let to = 0;
    for (let y = at.top; y < at.top + at.rows; y += 1) {
      for (let x = at.left; x < at.left + at.tileWidth; x += 1) {
        for (let sample = 0; sample < at.together; sample += 1, to += bytes) {
          const read = (column: number): number =>
            page.value({ x: column, y, sample: at.plane + sample, level: at.level });
          const value = page.isPredicted === true && x > at.left ? read(x) - read(x - 1) : read(x);
          if (format === 3) view.setFloat32(to, value, !isBigEndian);
          else if (bits === 8) view.setUint8(to, value);
          else if (bits === 16) view.setUint16(to, value, !isBigEndian);
          else view.setUint32(to, value, !isBigEndian);
        }
      }
    }
    return block;
  }
}
