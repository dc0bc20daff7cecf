import { useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Account } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { Section } from './section.tsx';

/** Below this number, the screen suggests new ones. */
const fewCodesLeft = 3;

/** Recovery codes; available as long as there is a second factor that could be lost. */
export function RecoveryCodesSection({ account }: { readonly account: Account }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const left = account.recovery_codes_left;
  const renew = async (): Promise<void> => {
    setCodes((await actions.newRecoveryCodes()).recovery_codes);
    await client.invalidateQueries({ queryKey: ['account'] });
  };
  if (!account.totp && account.webauthn_keys.length === 0) return null;
  return (
    <Section
      title="Recovery codes"
      state={
        left > fewCodesLeft ? (
          <span className="muted">{left} left</span>
        ) : (
          <StatusWord tone="warn" icon={TriangleAlert} word={left === 0 ? 'none' : `only ${left} left`} />
        )
      }
      about={
        left === 0
          ? 'Each signs you in once without your phone or key. Without one, if you lose those, an administrator has to let you in.'
          : 'Each signs you in once without your phone or key.'
      }
    >
      <div className="row">
        <Button onClick={() => setAsking(true)}>{left === 0 ? 'Make recovery codes' : 'New recovery codes'}</Button>
      </div>
      <RecoveryCodesDialog codes={codes} username={account.user.username} onSaved={() => setCodes(null)} />
      <ConfirmDialog
        open={asking}
        title={left === 0 ? 'Make recovery codes?' : 'Make new recovery codes?'}
        verb="Make codes"
        onConfirm={renew}
        onClose={() => setAsking(false)}
      >
        <p>
          {left === 0
            ? 'They are shown once. Print them or keep them in a safe place.'
            : `The ${countOf(left, 'code')} you have now ${left === 1 ? 'stops' : 'stop'} working.`}
        </p>
      </ConfirmDialog>
    </Section>
  );
}
