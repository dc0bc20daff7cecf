import { Type, type Static } from 'typebox';
import { Nullable } from './common.ts';

/** What the status bar shows. */
export const ServiceStatus = Type.Object(
  {
    version: Type.String(),
    base_url: Type.String(),
    shared: Type.Boolean({ description: 'Whether it listens beyond the loopback' }),
    shared_url: Nullable(
      Type.String({ description: 'What others on the local network type, while it is shared from the window; links in answers are made of base_url' }),
    ),
    public_key_pin: Nullable(
      Type.String({ description: "For the certificate made on this machine, at shared_url or else at base_url: what curl's --pinnedpubkey takes" }),
    ),
    data_dir: Nullable(Type.String({ description: 'Only for the owner at the machine' })),
    free_bytes: Type.Integer({ description: 'Free space of the data directory' }),
    disk_low: Type.Boolean({ description: 'Whether what grows is refused until there is room' }),
    clock_ahead_days: Type.Integer({
      description: 'Days by which the clock has jumped ahead: nothing is removed for its age until an administrator confirms the time. 0 for others',
    }),
    last_end: Nullable(
      Type.Enum(['checking', 'whole', 'damaged', 'unchecked'], {
        description: 'After a run that was not ended properly: what is known of the database. Null after an ordinary end',
      }),
    ),
    sample_registered: Type.Boolean(),
  },
  { $id: 'ServiceStatus', title: 'ServiceStatus' },
);
export type ServiceStatus = Static<typeof ServiceStatus>;
