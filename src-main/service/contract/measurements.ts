import { Type, type Static } from 'typebox';
import { KeysetQuery, MeasurementId, named, Nullable, Timestamp } from './common.ts';

const Links = Type.Object({
  download: Type.Object({
    href: Type.String({ description: 'Relative URL: /measurements/<measurement_id>/files/<index>' }),
  }),
});

export const FileEntry = named('FileEntry', {
  index: Type.Integer({ format: 'int32', description: 'Zero-based, stable index of the file in the manifest' }),
  path: Type.String({ description: 'Relative path of the file within the dataset' }),
  fileName: Type.String({ description: 'Name of the file' }),
  length: Type.Integer({ format: 'int64', description: 'File size in bytes' }),
  crc32: Type.Integer({
    format: 'int64',
    minimum: 0,
    maximum: 0xffffffff,
    description: 'CRC-32 checksum of the file content, unsigned',
  }),
  registrationTime: Type.String({ format: 'date-time', description: 'Time the file was registered, ISO 8601, UTC' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file content, hexadecimal' }),
  piecesSha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 over the binary SHA-256 hashes of its pieces, one after the other; for files of more than one piece',
    }),
  ),
  mediaType: Type.String({ description: 'Media type, from the name' }),
  _links: Links,
});
export type FileEntry = Static<typeof FileEntry>;

export const MeasurementManifest = named('MeasurementManifest', {
  measurementId: Type.String(),
  files: Type.Array(FileEntry, { description: 'The files of the measurement, in stable order' }),
});
export type MeasurementManifest = Static<typeof MeasurementManifest>;

/** The hashes of a file's pieces, in their order. */
export const FilePieces = named('FilePieces', {
  pieceLength: Type.Integer({ description: 'Bytes of each piece; the last one may be shorter' }),
  sha256: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
    description: 'SHA-256 of each piece, hexadecimal; none for an empty file',
  }),
});

export const SelectionQuery = Type.Object({
  files: Type.String({
    maxLength: 8192,
    description:
      'Indexes of files in the manifest and ranges of them, such as 0-3,7,12- (to the last file), in any order; at most 1,000 ranges that do not touch',
  }),
});
export type SelectionQuery = Static<typeof SelectionQuery>;

export const MeasurementState = Type.Enum(['registering', 'available', 'degraded']);
export type MeasurementState = Static<typeof MeasurementState>;

export const MeasurementSummary = named('MeasurementSummary', {
  id: MeasurementId,
  title: Type.String(),
  state: MeasurementState,
  storage: Type.Enum(['reference', 'library', 'object_storage'], {
    description:
      'Where the files lie: in their folder, as copies in the library, or as one archive in the object storage',
  }),
  owner: Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() }),
  file_count: Type.Integer(),
  total_bytes: Type.Integer(),
  problem_count: Type.Integer({ description: 'Files that are missing, altered or unreadable' }),
  created_at: Timestamp,
  registered_at: Nullable(Timestamp),
  verified_copies: Type.Integer({ description: 'Copies on other servers that have answered for their bytes lately' }),
  verified_at: Nullable(Timestamp),
});
export type MeasurementSummary = Static<typeof MeasurementSummary>;

export const MeasurementDetail = named('MeasurementDetail', {
  ...MeasurementSummary.properties,
  archive_bytes: Type.Integer({ description: 'Length of the ZIP of all files' }),
  download_url: Type.String({ description: 'Absolute URL of the ZIP' }),
  manifest_url: Type.String({ description: 'Absolute URL of the manifest' }),
  may_manage: Type.Boolean({ description: 'Whether the caller may grant, verify, rename and remove' }),
  left_out: Nullable(
    Type.Object({
      total: Type.Integer(),
      names: Type.Array(Type.String(), { description: 'The first hundred, each with its reason' }),
    }),
  ),
  root: Nullable(Type.String({ description: 'Folder of the referenced files; only for the owner at the machine' })),
});
export type MeasurementDetail = Static<typeof MeasurementDetail>;

export const MeasurementSort = Type.Enum(['created_at', 'id', 'title', 'total_bytes', 'file_count', 'state']);
export type MeasurementSort = Static<typeof MeasurementSort>;

export const MeasurementListQuery = Type.Object({
  ...KeysetQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 200 })),
  problems: Type.Optional(
    Type.Boolean({
      description: 'Only measurements with files that are not as registered; not with keyset pagination',
    }),
  ),
  sort: Type.Optional(MeasurementSort),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});
export type MeasurementListQuery = Static<typeof MeasurementListQuery>;

export const MeasurementChange = Type.Object(
  { title: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
);

export const Grant = named('Grant', {
  id: Type.Integer(),
  subject: Type.Enum(['user', 'project', 'everyone']),
  user: Nullable(Type.String({ description: 'User name' })),
  project: Nullable(Type.String({ description: 'Project path' })),
  until: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Grant = Static<typeof Grant>;

export const NewGrant = Type.Object(
  {
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    project: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    everyone: Type.Optional(Type.Boolean()),
    until: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  },
  { additionalProperties: false, description: 'Exactly one of user, project and everyone' },
);
export type NewGrant = Static<typeof NewGrant>;

/** One transfer of a measurement, from the audit trail. */
export const TransferRecord = named('TransferRecord', {
  id: Type.Integer(),
  started_at: Timestamp,
  ended_at: Nullable(Timestamp),
  user: Nullable(Type.String()),
  token: Nullable(Type.String({ description: 'Name of the token' })),
  application: Nullable(Type.String({ description: 'Name of the OAuth application that acted for the user' })),
  address: Nullable(Type.String()),
  what: Type.Enum(['manifest', 'file', 'archive']),
  file_index: Nullable(Type.Integer()),
  path: Nullable(
    Type.String({ description: 'Path of the file; null for other transfers, and when the measurement was removed' }),
  ),
  range: Nullable(
    Type.String({
      description:
        'The Range header; for a ZIP of some files their list stands before it, such as files=0-3,7 bytes=0-99',
    }),
  ),
  status: Type.Integer(),
  bytes_sent: Type.Integer(),
  outcome: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  requests: Type.Integer({ description: 'More than one where small answers of one minute share a record' }),
});
export type TransferRecord = Static<typeof TransferRecord>;

export const UploadState = Type.Enum(['receiving', 'registering', 'available', 'failed'], { title: 'UploadState' });
export type UploadState = Static<typeof UploadState>;

export const Upload = named(
  'Upload',
  {
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for the answer that a measurement has these files already',
    }),
    measurement_id: MeasurementId,
    title: Type.String(),
    file_name: Type.String(),
    state: UploadState,
    offset: Type.Integer({ description: 'Bytes received; an upload goes on here' }),
    length: Type.Union([Type.Integer(), Type.Null()]),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
    created_at: Timestamp,
    expires_at: Type.Union([Timestamp, Type.Null()], { description: 'When it is removed if nothing more comes' }),
  },
  { description: 'A measurement that is being uploaded' },
);
export type Upload = Static<typeof Upload>;

/** How much of what is uploaded may be taken, and is. */
export const Quota = named('Quota', {
  quota_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Null without a limit' }),
  used_bytes: Type.Integer({
    description: 'Of measurements in the library or the object storage, and of the next two; references take nothing',
  }),
  unfinished_bytes: Type.Integer({ description: 'Of uploads that are not measurements yet' }),
  removed_bytes: Type.Integer({ description: 'Of removed measurements that can still be restored' }),
});
export type Quota = Static<typeof Quota>;

export const NewQuota = Type.Object(
  { quota_bytes: Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]) },
  { additionalProperties: false },
);
