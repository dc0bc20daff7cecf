import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { FetchManyRequest, RemoteServer } from '../../../api/requests/types.ts';
import { useApp, useToast, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Choice } from '../../../ui/controls/field.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { countOf, formatBytes, type SizeUnits } from '../../../../src-shared/format/quantities.ts';
import { AddingMany } from './adding-many.tsx';
import { ChooseFiles, type ChosenFiles } from './choose-files.tsx';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import styles from './fetch-dialog.module.css';
import { nameOf } from '../../../words/fetch-words.ts';
import { tellEndOfFetch } from './tell-end-of-fetch.ts';

/** A measurement of a server to fetch, with what is known of it. */
export interface Wanted {
  readonly id: string;
  readonly title: string | null;
  readonly files: number | null;
  readonly bytes: number | null;
}

export interface FetchDialogProps {
  readonly server: RemoteServer;
  readonly wanted: readonly Wanted[];
  readonly onClose: () => void;
}

type What = 'all' | 'some' | 'archive';

/** Which files of the measurements to fetch, in which form, and into which folder. */
export function FetchDialog({ server, wanted, onClose }: FetchDialogProps) {
  const [only] = wanted;
  const title = wanted.length === 1 ? `Fetch ${only?.id ?? ''}` : `Fetch ${countOf(wanted.length, 'measurement')}`;
  const about =
    only === undefined || wanted.length > 1 || only.title === null || only.title === only.id
      ? `From ${server.name}`
      : `${only.title}, from ${server.name}`;
  const [many, setMany] = useState<FetchManyRequest | null>(null);
  return (
    // While many are being added, the dialog stays open to show the result.
    <Dialog open onClose={onClose} title={title} description={about} mustAnswer={many !== null}>
      {many === null ? (
        <FetchForm server={server} wanted={wanted} onClose={onClose} onMany={setMany} />
      ) : (
        <AddingMany request={many} onClose={onClose} />
      )}
    </Dialog>
  );
}

function FetchForm({
  server,
  wanted,
  onClose,
  onMany,
}: FetchDialogProps & { readonly onMany: (request: FetchManyRequest) => void }) {
  const app = useApp();
  const { actions, queries, desktop } = app;
  const units = useUnits();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const settings = useQuery(queries.fetchSettings());
  const [what, setWhat] = useState<What>('all');
  const [unpack, setUnpack] = useState(true);
  const [some, setSome] = useState<ChosenFiles>({ indices: new Set(), bytes: 0 });
  const [folder, setFolder] = useState<string | null>(null);
  const [paused, setPaused] = useState(false);
  const target = folder ?? settings.data?.target ?? null;
  const [only] = wanted;
  const bytes = what === 'some' ? some.bytes : sumOf(wanted, 'bytes');
  // During unpacking, a ZIP and its files are on the disk together.
  const needed = bytes === null ? null : what === 'archive' && unpack ? 2 * bytes : bytes;

  async function start(): Promise<void> {
    if (target === null || only === undefined) return;
    const shared = {
      server_id: server.id,
      what: what === 'archive' ? 'archive' : 'files',
      target,
      ...(what === 'archive' ? { unpack } : {}),
      ...(paused ? { paused } : {}),
    } as const;
    if (wanted.length > 1) {
      onMany({
        ...shared,
        measurements: wanted.map(({ id, title }) => ({
          id,
          ...(title === null ? {} : { title: title.slice(0, 200) }),
        })),
      });
      return;
    }
    const added = await actions.addFetch({
      ...shared,
      measurement_id: only.id,
      ...(only.title === null ? {} : { title: only.title.slice(0, 200) }),
      ...(what === 'some' ? { indices: [...some.indices].toSorted((one, other) => one - other) } : {}),
    });
    void client.invalidateQueries({ queryKey: ['fetches'] });
    onClose();
    toast({
      kind: 'plain',
      text: `${nameOf(added)} ${paused ? 'is in the list' : 'is being fetched'}`,
      action: {
        label: 'Show',
        run: () => void navigate({ to: '/transfers/$fetchId', params: { fetchId: String(added.id) } }),
      },
      ...(paused ? {} : { fetchId: added.id }),
    });
    // A small fetch may have ended before its message was shown.
    tellEndOfFetch(app, app.fetches.live.latest(added.id) ?? added);
  }
  const choose = async (): Promise<void> => {
    const chosen = (await desktop?.chooseFetchFolder()) ?? null;
    if (chosen !== null) setFolder(chosen);
  };

  return (
    <DialogForm
      verb={paused ? 'Add to the list' : 'Fetch'}
      ready={target !== null && (what !== 'some' || some.indices.size > 0)}
      onCancel={onClose}
      onSubmit={start}
    >
      <RadioChoices
        legend="What"
        name="what"
        value={what}
        onChange={setWhat}
        choices={[
          {
            value: 'all',
            label: 'All files',
            meaning: amountWords(sumOf(wanted, 'files'), sumOf(wanted, 'bytes'), units),
          },
          ...(only === undefined || wanted.length > 1
            ? []
            : [
                {
                  value: 'some' as const,
                  label: 'Some files',
                  meaning:
                    what === 'some' && some.indices.size > 0
                      ? amountWords(some.indices.size, some.bytes, units)
                      : 'Choose them from the list',
                  more: <ChooseFiles server={server.id} measurement={only.id} chosen={some} onChange={setSome} />,
                },
              ]),
          {
            value: 'archive',
            label: 'One ZIP',
            meaning: 'One request for everything, for servers that are slow with many files',
          },
        ]}
      />
      {what === 'archive' ? (
        <Choice
          name="unpack"
          label="Unpack it on arrival"
          meaning="Every file is verified against the list of files, then the ZIP is removed"
          checked={unpack}
          onChange={setUnpack}
        />
      ) : null}
      <div className={styles['folder']}>
        <span className={styles['label']}>Into</span>
        <div className={styles['path']}>
          {target === null ? <span className={styles['none']}>no folder chosen yet</span> : <code>{target}</code>}
          <Button icon={<FolderOpen aria-hidden />} onClick={() => void choose()}>
            Choose folder
          </Button>
        </div>
        {target === null ? null : <Room folder={target} needed={needed === 0 ? null : needed} />}
      </div>
      <Choice name="paused" label="Add to the list, paused" checked={paused} onChange={setPaused} />
    </DialogForm>
  );
}

/** Whether a folder has enough free space. */
function Room({ folder, needed }: { readonly folder: string; readonly needed: number | null }) {
  const { queries } = useApp();
  const units = useUnits();
  const { data } = useQuery(queries.fetchFolder(folder));
  if (data === undefined) return null;
  if (!data.exists) return <p className={styles['short']}>This folder does not exist. Choose another one.</p>;
  if (!data.writable) return <p className={styles['short']}>This folder is not writable. Choose another one.</p>;
  if (data.free_bytes === null) return null;
  const free = formatBytes(data.free_bytes, units);
  if (needed === null || needed <= data.free_bytes)
    return (
      <p className={styles['room']}>
        {free} free{needed === null ? '' : `, ${formatBytes(needed, units)} needed`}
      </p>
    );
  return (
    <p className={styles['short']}>
      {formatBytes(needed, units)} needed, only {free} free. It stops and asks when the disk is full.
    </p>
  );
}

function sumOf(wanted: readonly Wanted[], what: 'files' | 'bytes'): number | null {
  return wanted.reduce<number | null>((sum, one) => (sum === null || one[what] === null ? null : sum + one[what]), 0);
}

function amountWords(files: number | null, bytes: number | null, units: SizeUnits): string {
  return [files === null ? '' : countOf(files, 'file'), bytes === null ? '' : formatBytes(bytes, units)]
    .filter((part) => part !== '')
    .join(', ');
}
