import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Desktop } from '../../context/desktop.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Choice, Choices } from '../../ui/controls/field.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import { Saved } from './saved.tsx';
import { useAttempts } from '../../ui/hooks/use-submit.ts';
import styles from './settings-screen.module.css';
import { actionsFor, offWords, waitingWords, type Updates } from './update-words.ts';
import { useDesktopSettings } from './answers/use-desktop-settings.ts';

const soon = 1000;
const later = 30_000;

/** Updates of this copy of Benchport: state, actions, and whether they are automatic. */
export function UpdateSetting({ desktop }: { readonly desktop: Desktop }) {
  const client = useQueryClient();
  const options = queryOptions({
    queryKey: ['updates'],
    queryFn: async () => desktop.getUpdates(),
    refetchInterval: ({ state }) =>
      ['looking', 'fetching', 'ready'].includes(state.data?.state.kind ?? '') ? soon : later,
  });
  const updates = useQuery(options);
  const settings = useDesktopSettings(desktop);
  const { failure, attempt } = useAttempts();
  const { data } = updates;
  const failed = failure ?? updates.error ?? settings.failure;
  if (data === undefined || settings.shown === undefined)
    return failed === null ? null : <ProblemNote error={failed} />;
  const { look, fetch } = settings.shown.updates;

  const act = (action: Parameters<Desktop['actOnUpdates']>[0]): Promise<void> =>
    attempt(async () => client.setQueryData(options.queryKey, await desktop.actOnUpdates(action)));

  return (
    <div className={styles['group']}>
      <Choices legend="Updates">
        <div aria-live="polite">
          <Course updates={data} />
        </div>
        {data.state.kind === 'off' ? null : (
          <>
            <div className="row middle">
              {actionsFor(data.state).map(({ action, word }) => (
                <Button key={action} onClick={() => void act(action)}>
                  {word}
                </Button>
              ))}
            </div>
            <Choice
              name="look-for-updates"
              label="Check for new versions at startup and once a day"
              checked={look}
              onChange={(on) => void settings.change({ updates: { look: on } })}
            />
            <Choice
              name="fetch-updates"
              label="Download them in the background"
              meaning="They are installed when you say so, and never during a fetch, a transfer or a registration."
              checked={look && fetch}
              disabled={!look}
              onChange={(on) => void settings.change({ updates: { fetch: on } })}
            />
          </>
        )}
      </Choices>
      <Saved saving={settings.saving} failure={failed} />
    </div>
  );
}

function Course({ updates: { version, channel, lookedAt, state } }: { readonly updates: Updates }) {
  const own = `This is Benchport ${version}${state.kind === 'off' || channel === 'latest' ? '' : `, channel ${channel}`}.`;
  switch (state.kind) {
    case 'off':
      return (
        <p>
          {own} {offWords[state.why]}
        </p>
      );
    case 'quiet':
      return lookedAt === null ? (
        <p>{own} It has not checked for updates yet.</p>
      ) : (
        <p>
          {own} No newer version was available <Moment at={lookedAt} />.
        </p>
      );
    case 'looking':
      return <p>{own} Checking for a newer version.</p>;
    case 'found':
      return (
        <p>
          {own} Version {state.version} is there.
        </p>
      );
    case 'fetching':
      return (
        <>
          <p>
            {own} Fetching {state.version}: <span className="digits">{`${Math.floor(state.fraction * 100)} %`}</span>
          </p>
          <ProgressBar fraction={state.fraction} label={`Downloading Benchport ${state.version}`} />
        </>
      );
    case 'ready':
      return (
        <p>
          {own} {waitingWords(state)}
        </p>
      );
    case 'failed':
      return (
        <Note kind="warn">
          <p>{state.message}</p>
        </Note>
      );
  }
}
