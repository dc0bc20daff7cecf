import { Type, type Static } from 'typebox';
import { named, Nullable } from './common.ts';

/** The data of the status bar. */
export const ServiceStatus = named('ServiceStatus', {
  version: Type.String(),
  base_url: Type.String(),
  shared: Type.Boolean({ description: 'Whether it listens beyond the loopback' }),
  shared_url: Nullable(
    Type.String({
      description:
        'Address for others on the local network, while it is shared from the window; links in answers use base_url',
    }),
  ),
  public_key_pin: Nullable(
    Type.String({
      description:
        "For the certificate made on this machine, at shared_url or else at base_url: what curl's --pinnedpubkey takes",
    }),
  ),
  data_dir: Nullable(Type.String({ description: 'Only for the owner at the machine' })),
  free_bytes: Type.Integer({ description: 'Free space of the data directory' }),
  disk_low: Type.Boolean({ description: 'Whether writes that need space are refused until there is room' }),
  clock_ahead_days: Type.Integer({
    description:
      'Days by which the clock has jumped ahead: nothing is removed for its age until an administrator confirms the time. 0 for others',
  }),
  last_end: Nullable(
    Type.Enum(['checking', 'whole', 'damaged', 'unchecked'], {
      description: 'State of the database after an unclean shutdown; null after a clean one',
    }),
  ),
  sample_registered: Type.Boolean(),
  database: Type.Enum(['sqlite', 'postgres'], {
    description: 'With postgres there are no referenced folders, no window, and no backups from here',
  }),
  replicas: Type.Integer({ description: 'Processes that serve the database now' }),
});
export type ServiceStatus = Static<typeof ServiceStatus>;

/** The private hosts that requests which users cause may reach. */
export const OutgoingSettings = named(
  'OutgoingSettings',
  {
    allowed: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 1000,
      description:
        'Exact host names, IP addresses or networks such as 10.1.0.0/16, each with a port or for all; at most 200',
    }),
  },
  { additionalProperties: false },
);
export type OutgoingSettings = Static<typeof OutgoingSettings>;
