interface Magic {
  readonly name: string;
  readonly at: number;
  readonly bytes: readonly number[];
}

const ascii = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** Beginnings of formats, as their specifications state them. */
const known: readonly Magic[] = [
  { name: 'a ZIP archive', at: 0, bytes: [0x50, 0x4b, 3, 4] },
  { name: 'an empty ZIP archive', at: 0, bytes: [0x50, 0x4b, 5, 6] },
  { name: 'data packed with gzip', at: 0, bytes: [0x1f, 0x8b] },
  { name: 'data packed with bzip2', at: 0, bytes: ascii('BZh') },
  { name: 'data packed with xz', at: 0, bytes: [0xfd, ...ascii('7zXZ'), 0] },
  { name: 'data packed with Zstandard', at: 0, bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'a 7-Zip archive', at: 0, bytes: [...ascii('7z'), 0xbc, 0xaf, 0x27, 0x1c] },
  { name: 'a TAR archive', at: 257, bytes: ascii('ustar') },
  { name: 'a TIFF image', at: 0, bytes: [0x49, 0x49, 42, 0] },
  { name: 'a TIFF image', at: 0, bytes: [0x4d, 0x4d, 0, 42] },
  { name: 'a BigTIFF image', at: 0, bytes: [0x49, 0x49, 43, 0] },
  { name: 'a BigTIFF image', at: 0, bytes: [0x4d, 0x4d, 0, 43] },
  { name: 'a BMP image', at: 0, bytes: ascii('BM') },
  { name: 'an HDF5 file', at: 0, bytes: [0x89, ...ascii('HDF\r\n'), 0x1a, 10] },
  { name: 'an HDF4 file', at: 0, bytes: [0x0e, 3, 0x13, 1] },
  { name: 'a NetCDF file', at: 0, bytes: ascii('CDF') },
  { name: 'a DICOM file', at: 128, bytes: ascii('DICM') },
  { name: 'a NIfTI image', at: 344, bytes: ascii('n+1\0') },
  { name: 'a FITS file', at: 0, bytes: ascii('SIMPLE  =') },
  { name: 'a flow cytometry file (FCS)', at: 0, bytes: ascii('FCS') },
  { name: 'a NumPy array', at: 0, bytes: [0x93, ...ascii('NUMPY')] },
  { name: 'a MATLAB file', at: 0, bytes: ascii('MATLAB 5.0') },
  { name: 'a Parquet table', at: 0, bytes: ascii('PAR1') },
  { name: 'an Arrow file', at: 0, bytes: ascii('ARROW1') },
  { name: 'an SQLite database', at: 0, bytes: ascii('SQLite format 3\0') },
  { name: 'a PDF document', at: 0, bytes: ascii('%PDF-') },
  { name: 'an OLE container, as older instruments write it', at: 0, bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1] },
  { name: 'a program for Linux', at: 0, bytes: [0x7f, ...ascii('ELF')] },
  { name: 'a program for Windows', at: 0, bytes: ascii('MZ') },
  { name: 'a video (MP4)', at: 4, bytes: ascii('ftyp') },
  { name: 'RIFF data', at: 0, bytes: ascii('RIFF') },
];

/** Whether the bytes at a place are these. */
export function hasBytes(head: Uint8Array, at: number, bytes: readonly number[]): boolean {
  return at + bytes.length <= head.length && bytes.every((byte, index) => head[at + index] === byte);
}

/** Whether the bytes at a place are this ASCII text. */
export function hasText(head: Uint8Array, at: number, text: string): boolean {
  return hasBytes(head, at, ascii(text));
}

/** Names the format of the first bytes, such as `a PDF document`; null for unknown ones. */
export function magicName(head: Uint8Array): string | null {
  return known.find(({ at, bytes }) => hasBytes(head, at, bytes))?.name ?? null;
}
