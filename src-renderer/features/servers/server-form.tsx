import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/requests/problem.ts';
import type { RemoteServer } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { useSubmit } from '../../ui/hooks/use-submit.ts';
import { failedTest, notAdded } from '../server-trust/failed-test.ts';
import { faultOfAddress, isReadable, withScheme } from './servers-search.ts';
import { TokenField } from '../server-trust/token-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ToldCertificate, KnownServerFields } from './server-form-fields.tsx';

export interface ServerFormProps {
  /** The server to change; null adds one. */
  readonly server: RemoteServer | null;
  /** Initial address of a new server. */
  readonly address?: string;
  /** SHA-256 of the certificate announced for this address; announcements are not authenticated. */
  readonly certificate?: string | null;
  readonly onClose: () => void;
  /** Called once the server is in the list and was tested. */
  readonly onSaved: (server: RemoteServer) => void;
}

/** Adds or changes a server and tests it at once; a failed test is shown in the form. */
export function ServerForm({ server, address = '', certificate = null, onClose, onSaved }: ServerFormProps) {
  return (
    <Dialog open onClose={onClose} width="narrow" title={server === null ? 'Add a server' : `Edit ${server.name}`}>
      <Fields server={server} address={address} certificate={certificate} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

function Fields({ server, address, certificate, onClose, onSaved }: Required<ServerFormProps>) {
  const { actions } = useApp();
  const client = useQueryClient();
  const [url, setUrl] = useState(server?.base_url ?? address);
  const [name, setName] = useState(server?.name ?? '');
  const [token, setToken] = useState('');
  const [limit, setLimit] = useState<number | null | undefined>(server?.speed_limit ?? null);
  const [connections, setConnections] = useState(
    server?.connections === null || server === null ? '' : String(server.connections),
  );
  const [pinned, setPinned] = useState(server?.certificate_sha256 !== null);
  const [compared, setCompared] = useState(false);
  const [reports, setReports] = useState(server?.reports !== false);
  /** The server as saved in the list; null before it is saved. */
  const [before, setBefore] = useState(server);
  const [hasFailed, setHasFailed] = useState(false);
  const told = url === address ? certificate : null;
  const fault = url === '' ? null : faultOfAddress(url);
  const movesAway =
    before !== null &&
    before.has_token &&
    fault === null &&
    url !== '' &&
    new URL(withScheme(url)).origin !== new URL(before.base_url).origin;
  const soundConnections = /^(?:[1-9]|1[0-6])?$/.test(connections);

  async function done(tested: RemoteServer): Promise<void> {
    await client.invalidateQueries({ queryKey: ['servers'] });
    onClose();
    onSaved(tested);
  }

  /** A server that does not work is not added, and the input can be corrected. */
  async function add(evenIfItFails: boolean): Promise<void> {
    const wanted = {
      base_url: url.trim(),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(token === '' ? {} : { token }),
      ...(told === null ? {} : { certificate_sha256: told }),
    };
    if (evenIfItFails) return done(await actions.testServer((await actions.addServer(wanted)).id));
    try {
      return await done(await actions.addServer({ ...wanted, only_if_works: true }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'server-does-not-work') throw error;
      setHasFailed(true);
      throw notAdded(error);
    }
  }

  async function change(of: RemoteServer): Promise<void> {
    const changed = await actions.changeServer(of.id, {
      ...(url.trim() === of.base_url ? {} : { base_url: withScheme(url) }),
      ...(name.trim() === '' || name.trim() === of.name ? {} : { name: name.trim() }),
      ...(token === '' ? {} : { token }),
      ...(of.certificate_sha256 !== null && !pinned ? { certificate_sha256: null } : {}),
      speed_limit: limit ?? null,
      ...(reports === of.reports ? {} : { reports }),
      connections: connections === '' ? null : Number(connections),
    });
    setBefore(changed);
    const tested = await actions.testServer(changed.id);
    if (works(tested)) return done(tested);
    await client.invalidateQueries({ queryKey: ['servers'] });
    throw failedTest(tested, 'Saved, but the server does not work');
  }

  return (
    <DialogForm
      verb={server === null ? 'Add and test' : 'Save and test'}
      ready={
        url !== '' &&
        fault === null &&
        limit !== undefined &&
        soundConnections &&
        !(movesAway && token === '') &&
        (told === null || compared)
      }
      onCancel={onClose}
      onSubmit={() => (before === null ? add(false) : change(before))}
      {...(hasFailed ? { remedy: <AddAnyway add={() => add(true)} /> } : {})}
    >
      <TextField
        label="Address"
        error={fault}
        hint="As shown in the browser, or as given by the owner of the server. Without https:// or http://, https is tried."
        inputMode="url"
        required
        spellCheck={false}
        maxLength={2048}
        placeholder="https://bench-3.lab.example"
        value={url}
        onChange={(text) => setUrl(text.trim())}
      />
      {told === null ? null : <ToldCertificate sha256={told} compared={compared} onCompared={setCompared} />}
      {isReadable(url) ? (
        <Note kind="warn">Over plain http, others on the network can read the token and the data.</Note>
      ) : null}
      <TokenField
        value={token}
        onChange={setToken}
        label={server?.has_token === true ? 'New token' : 'Token'}
        hint={
          movesAway
            ? 'The stored token belongs to the old address and is not sent to another one. Enter a token for this server.'
            : server?.has_token === true
              ? 'Leave empty to keep the stored one.'
              : 'Paste it. It is kept encrypted and never shown again.'
        }
      />
      <TextField
        label="Name"
        hint="Only you see it."
        maxLength={100}
        placeholder={hostOf(withScheme(url))}
        value={name}
        onChange={setName}
      />
      {server === null ? null : (
        <KnownServerFields
          server={server}
          connections={connections}
          soundConnections={soundConnections}
          reports={reports}
          onLimit={setLimit}
          onConnections={setConnections}
          onReports={setReports}
        />
      )}
      {server === null || server.certificate_sha256 === null ? null : (
        <Choice
          name="pinned"
          label="Trust only the certificate that was compared"
          meaning="Otherwise the server's certificate has to be signed by a known authority."
          checked={pinned}
          onChange={setPinned}
        />
      )}
    </DialogForm>
  );
}

/** An untrusted certificate is handled in a dialog of its own. */
function works({ state, problem }: RemoteServer): boolean {
  return state !== 'failed' || problem === 'certificate';
}

/** Saves the server without a successful test, because it may only be away at the moment. */
function AddAnyway({ add }: { readonly add: () => Promise<void> }) {
  const { busy, failure, submit } = useSubmit(add);
  return (
    <>
      <Button busy={busy} onClick={submit}>
        Add it anyway
      </Button>
      <ProblemNote error={failure} />
    </>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
