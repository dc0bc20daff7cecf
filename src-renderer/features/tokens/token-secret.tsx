import { useQuery } from '@tanstack/react-query';
import type { CreatedToken } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { CommandBlock } from '../../ui/controls/command-block.tsx';
import { curlRead, readTokenLine } from '../../../src-shared/format/commands.ts';
import { Note } from '../../ui/notes/note.tsx';
import { SecretOnce } from '../../ui/dialogs/secret-once.tsx';
import { isLoopbackUrl } from '../../words/mask-dsn.ts';
import { tryWith } from './try-with.ts';

/** The secret of a new token, shown once, with commands that use it. */
export function TokenSecret({ token, onSaved }: { readonly token: CreatedToken; readonly onSaved: () => void }) {
  const { queries } = useApp();
  const service = useQuery(queries.service());
  const base = (service.data?.shared_url ?? service.data?.base_url ?? window.location.origin).replace(/\/$/, '');
  const isLocal = isLoopbackUrl(base);
  const { path, what } = tryWith(token.scopes);
  return (
    <SecretOnce secret={token.token} what="token" onSaved={onSaved}>
      <CommandBlock
        about={`Try it: the first line asks for the token without showing it, the second ${what}.`}
        command={`${readTokenLine}\n${curlRead(`${base}${path}`, service.data?.public_key_pin ?? null)}`}
        label="Copy the commands"
      />
      {isLocal ? (
        <Note kind="info">
          <p>
            The commands use a loopback address, so only this machine can reach it. For others, share on the local
            network or set the base URL of the service.
          </p>
        </Note>
      ) : null}
    </SecretOnce>
  );
}
