import { Ban } from 'lucide-react';
import { BulkBar, type BulkBarProps } from '../../ui/lists/bulk-bar.tsx';

export interface BulkTokensProps extends Pick<BulkBarProps, 'count' | 'onClear'> {
  /** Null where no more than one of the selected tokens is active. */
  readonly onRevoke: (() => void) | null;
}

/** The bar for several selected tokens: revokes those that are active. */
export function BulkTokens({ onRevoke, ...bar }: BulkTokensProps) {
  const revoke = { kind: 'item', id: 'revoke', label: 'Revoke…', icon: <Ban aria-hidden /> } as const;
  return (
    <BulkBar
      label="With the selected tokens"
      actions={onRevoke === null ? [] : [{ ...revoke, run: onRevoke }]}
      {...bar}
    />
  );
}
