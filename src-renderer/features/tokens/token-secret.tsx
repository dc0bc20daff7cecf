import { useQuery } from '@tanstack/react-query';
import type { CreatedToken } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { CommandBlock } from '../../ui/command-block.tsx';
import { curlRead, readTokenLine } from '../../ui/format/commands.ts';
import { Note } from '../../ui/note.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { isLoopbackUrl } from '../projects/mask-dsn.ts';
import { tryWith } from './try-with.ts';

/** The secret of a new token, this once, with the commands that use it beside it. */
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
            The commands use a loopback address, so only this machine can reach it. For others, share on the local network or set the base URL of the service.
          </p>
        </Note>
      ) : null}
    </SecretOnce>
  );
}
