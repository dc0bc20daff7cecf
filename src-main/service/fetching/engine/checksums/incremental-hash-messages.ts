export type IncrementalHashRequest =
  | { readonly op: 'begin'; readonly id: number; readonly fd: number }
  /** Bytes up to `to` may be read. */
  | { readonly op: 'advance'; readonly id: number; readonly to: number }
  /** No further bytes follow. */
  | { readonly op: 'end'; readonly id: number }
  | { readonly op: 'drop'; readonly id: number };

export type IncrementalHashReply =
  | { readonly id: number; readonly kind: 'at'; readonly at: number }
  | {
      readonly id: number;
      readonly kind: 'digest';
      readonly length: number;
      readonly crc32: number;
      readonly sha256: Uint8Array;
    }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string; readonly code: string }
  /** The worker no longer uses the descriptor. */
  | { readonly id: number; readonly kind: 'dropped' };
