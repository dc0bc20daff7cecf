/** A page of a picture, and how its values are written. */
export interface PageShape {
  readonly width: number;
  readonly height: number;
  /** Sides of tiles; strips of `rowsPerStrip` rows otherwise. */
  readonly tile?: readonly [width: number, height: number];
  readonly rowsPerStrip?: number;
  readonly bits?: 8 | 16 | 32;
  readonly format?: 1 | 2 | 3;
  readonly samples?: number;
  readonly isPlanar?: boolean;
  readonly photometric?: number;
  /** Compression of TIFF: 1, 5, 8 or 32773. */
  readonly method?: number;
  /** Whether whole numbers are written as differences to their left neighbours. */
  readonly isPredicted?: boolean;
  readonly description?: string;
  /** Smaller forms, each half as wide and high as the one before. */
  readonly levels?: number;
  /** Packed bytes of each block, such as a JPEG, in the place of values. */
  readonly block?: Buffer;
  /** Levels whose values are left out of a sparse file, from the first; one otherwise. */
  readonly sparseLevels?: number;
  readonly palette?: readonly number[];
  readonly value: (place: { x: number; y: number; sample: number; level: number }) => number;
}

export interface TiffOptions {
  readonly isBig?: boolean;
  readonly isBigEndian?: boolean;
  /** Leaves the values of the first levels out: they are zeros of a sparse file. */
  readonly isSparse?: boolean;
}
