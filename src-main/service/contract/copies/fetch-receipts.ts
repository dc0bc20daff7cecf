import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from '../common.ts';
import { ReceiptFile } from './copies.ts';

/** The receipt of what was fetched, as it lies beside the folder. */
export const FetchReceipt = named('FetchReceipt', {
  available: Type.Boolean({
    description: 'Whether all files of the measurement were fetched and verified, so that a receipt can be about them',
  }),
  file: Type.String({ description: 'Where it is kept' }),
  kept: Nullable(
    Type.Object({
      issued_by: Type.String({ description: 'As the receipt says' }),
      issued_to: Type.String(),
      issued_at: Timestamp,
      manifest_sha256: Type.String(),
      content: ReceiptFile,
    }),
  ),
  problem: Nullable(Type.String({ description: 'Why what lies there is not the receipt of these files' })),
});
export type FetchReceipt = Static<typeof FetchReceipt>;
