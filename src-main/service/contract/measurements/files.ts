import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from '../common.ts';

const FileState = Type.Enum(['ok', 'altered', 'missing', 'unreadable']);

/**
 * A file with its state, for the screens: pages of the frozen list, or only of the files with
 * problems.
 */
export const FileStatus = named('FileStatus', {
  index: Type.Integer(),
  path: Type.String(),
  length: Type.Integer(),
  crc32: Type.Integer(),
  sha256: Type.String(),
  state: FileState,
  problem: Nullable(Type.String()),
  checked_at: Nullable(Timestamp),
});
export type FileStatus = Static<typeof FileStatus>;

export const FileStatusQuery = Type.Object({
  after: Type.Integer({
    minimum: -1,
    maximum: 2_147_483_647,
    default: -1,
    description:
      'Cursor: `next` of the page before. In a list of all files it is the place of the last file seen, counted from 0',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  problems: Type.Boolean({ default: false, description: 'Only files that are not ok' }),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of a path, whatever the case of its letters' }),
  ),
  sort: Type.Optional(
    Type.Enum(['index', 'path', 'size'], {
      description: 'By the index in the manifest (default), by path with numbers by their value, or by length',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});

export const FileStatusPage = named('FileStatusPage', {
  files: Type.Array(FileStatus),
  next: Nullable(
    Type.Integer({
      description: 'Cursor of the next page, also behind a page with fewer files than asked for; null at the end',
    }),
  ),
  total: Nullable(
    Type.Object(
      { count: Type.Integer(), complete: Type.Boolean({ description: 'False: at least so many' }) },
      { description: 'With the first page of a list' },
    ),
  ),
});
export type FileStatusPage = Static<typeof FileStatusPage>;

export const FolderQuery = Type.Object({
  path: Type.String({
    default: '',
    maxLength: 65_535,
    description: 'Path of the folder, without a slash at its end; empty for all of the measurement',
  }),
  after: Type.Integer({
    minimum: -1,
    maximum: 2_147_483_647,
    default: -1,
    description: 'Cursor: `next` of the page before',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});

/** A folder in a folder; its files are those of an unbroken range of the manifest. */
export const FolderSummary = named('FolderSummary', {
  first: Type.Integer({ description: 'Index of the first file below it' }),
  last: Type.Integer({ description: 'Index of the last file below it' }),
  bytes: Type.Integer({ description: 'Sum of the lengths of the files below it' }),
  problem_count: Type.Integer({ description: 'Files below it that are not as registered' }),
});
export type FolderSummary = Static<typeof FolderSummary>;

/** An entry of a folder: either a file or a folder. */
export const FolderEntry = named('FolderEntry', {
  name: Type.String(),
  file: Nullable(FileStatus),
  folder: Nullable(FolderSummary),
});
export type FolderEntry = Static<typeof FolderEntry>;

export const FolderPage = named('FolderPage', {
  entries: Type.Array(FolderEntry, { description: 'In natural order: numbers by their value' }),
  next: Nullable(Type.Integer({ description: 'Cursor of the next page; null at the end' })),
});
export type FolderPage = Static<typeof FolderPage>;
