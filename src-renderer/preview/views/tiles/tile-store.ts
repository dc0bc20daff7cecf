import type { Raster } from '../../messages/raster.ts';
import type { TilePlace } from './viewport.ts';

/** Bytes of tiles that a page keeps, their values and their pixels. */
const maxKeptBytes = 128 * 1024 * 1024;
/** Tiles that are asked for at once; what is no longer in view when its turn comes is not asked for. */
const maxAtOnce = 4;

/** A tile of a picture whose page and sample `picture` names. */
export interface WantedTile extends TilePlace {
  readonly picture: string;
}

/** A tile with the canvas on which it was coloured last. */
export interface KeptTile {
  readonly raster: Raster;
  /** Null before the first time. */
  canvas: HTMLCanvasElement | null;
  /** The colouring of the canvas; empty before the first. */
  look: string;
}

export interface TileStoreDeps {
  readonly read: (tile: WantedTile) => Promise<Raster>;
  /** A tile has come, or cannot be had. */
  readonly onChange: () => void;
}

const keyOf = ({ picture, level, column, row }: WantedTile): string => `${picture} ${level} ${column} ${row}`;

/** Asks for the tiles in view, and keeps those that were shown last. */
export class TileStore {
  readonly #deps: TileStoreDeps;
  readonly #kept = new Map<string, KeptTile>();
  readonly #failed = new Map<string, string>();
  readonly #asked = new Set<string>();
  #queue: readonly WantedTile[] = [];
  #keptBytes = 0;
  #isOpen = true;

  constructor(deps: TileStoreDeps) {
    this.#deps = deps;
  }

  /** Replaces what is wanted, the most urgent first. */
  want(tiles: readonly WantedTile[]): void {
    this.#queue = tiles;
    this.#next();
  }

  /** How many of these tiles have yet to come. */
  countMissing(tiles: readonly WantedTile[]): number {
    return tiles.filter((tile) => !this.#kept.has(keyOf(tile)) && !this.#failed.has(keyOf(tile))).length;
  }

  get(tile: WantedTile): KeptTile | undefined {
    const key = keyOf(tile);
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found;
  }

  /** Why one of these tiles cannot be shown, null where all can. */
  failureOf(tiles: readonly WantedTile[]): string | null {
    for (const tile of tiles) {
      const failure = this.#failed.get(keyOf(tile));
      if (failure !== undefined) return failure;
    }
    return null;
  }

  /** Lets tiles be asked for again that could not be had. */
  retry(): void {
    this.#failed.clear();
    this.#deps.onChange();
  }

  close(): void {
    this.#isOpen = false;
    this.#queue = [];
  }

  /** Each tile leaves the queue when it is asked for, so that one that is pushed out is not asked for at once. */
  #next(): void {
    const left: WantedTile[] = [];
    for (const tile of this.#queue) {
      const key = keyOf(tile);
      if (this.#asked.has(key) || this.#kept.has(key) || this.#failed.has(key)) continue;
      if (this.#asked.size >= maxAtOnce) left.push(tile);
      else {
        this.#asked.add(key);
        void this.#ask(tile, key);
      }
    }
    this.#queue = left;
  }

  async #ask(tile: WantedTile, key: string): Promise<void> {
    try {
      this.#keep(key, await this.#deps.read(tile));
    } catch (error) {
      this.#failed.set(key, error instanceof Error ? error.message : 'It stopped without a reason.');
    }
    this.#asked.delete(key);
    if (!this.#isOpen) return;
    this.#next();
    this.#deps.onChange();
  }

  #keep(key: string, raster: Raster): void {
    this.#kept.set(key, { raster, canvas: null, look: '' });
    this.#keptBytes += bytesOf(raster);
    for (const [oldest, { raster: old }] of this.#kept) {
      if (this.#keptBytes <= maxKeptBytes || oldest === key) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytesOf(old);
    }
  }
}

function bytesOf({ values, width, height }: Raster): number {
  return values.byteLength + width * height * 4;
}
