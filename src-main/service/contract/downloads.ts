import { Type, type Static } from 'typebox';
import { named, Nullable, PageQuery, Timestamp } from './common.ts';

const DownloadOutcome = Type.Enum(['running', 'whole', 'part', 'failed', 'list', 'handed-over', 'killed'], {
  description:
    'whole: every file or the ZIP arrived; part: what was asked for arrived, not all files; failed: something did not reach its end; list: the manifest alone; handed-over: a proxy sends it; killed: the service ended meanwhile',
});

/**
 * Transfers of one user from one measurement, with one credential and program from one address,
 * without a pause of five minutes.
 */
export const Download = named('Download', {
  id: Type.Integer(),
  started_at: Timestamp,
  last_at: Type.String({
    format: 'date-time',
    description: 'When the last of its requests ended, or was last looked at',
  }),
  username: Nullable(Type.String()),
  token_name: Nullable(Type.String()),
  application_name: Nullable(Type.String()),
  address: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  measurement_id: Type.String(),
  file_count: Type.Integer({ description: 'Of the measurement' }),
  files_whole: Type.Integer({ description: 'Different files that were sent whole, at once or in pieces' }),
  as_archive: Type.Boolean({ description: 'Whether the ZIP was sent whole' }),
  requests: Type.Integer(),
  bytes_sent: Type.Integer({ description: 'Of files and the ZIP, without manifests' }),
  outcome: DownloadOutcome,
  reason: Nullable(Type.String({ description: 'Outcome of the last transfer that failed' })),
});
export type Download = Static<typeof Download>;

const When = Type.String({
  maxLength: 40,
  default: '',
  description: 'Begun at or after a day (YYYY-MM-DD, UTC) or a point in time (ISO 8601)',
});
const filters = {
  user: Type.String({ maxLength: 255, default: '', description: 'User name of who fetched' }),
  outcome: Type.Optional(DownloadOutcome),
  from: When,
  to: { ...When, description: 'Begun before the end of this day, or at or before this point in time' },
};
const measurement = {
  measurement: Type.String({ maxLength: 128, default: '', description: 'Identifier of a measurement' }),
};

export const DownloadFilters = Type.Object(filters);
export type DownloadFilters = Static<typeof DownloadFilters>;
export const DownloadQuery = Type.Object({ ...PageQuery.properties, ...filters });
export const AllDownloadFilters = Type.Object({ ...measurement, ...filters });
export const AllDownloadQuery = Type.Object({ ...PageQuery.properties, ...measurement, ...filters });
