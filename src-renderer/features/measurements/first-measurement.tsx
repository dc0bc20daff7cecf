import { useMutation, useQuery } from '@tanstack/react-query';
import { FlaskConical, FolderDown, FolderPlus, FolderSearch, FolderUp, Files } from 'lucide-react';
import { useApp, useSession } from '../../context/context.ts';
import { useRunCommand } from '../../context/use-run-command.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import { RemovedHint } from './removed/removed-hint.tsx';
import styles from './first-measurement.module.css';

const commandLine = 'benchport measurement register PATH';

/** The empty state of the list of measurements. */
export function FirstMeasurement() {
  const { desktop, queries, actions, live } = useApp();
  const run = useRunCommand();
  const service = useQuery(queries.service());
  const sample = useMutation({ mutationFn: actions.registerSample, onSuccess: (job) => live.getState().putJob(job) });
  if (desktop === null) return <FirstInBrowser />;
  return (
    <EmptyState
      icon={<FolderDown aria-hidden />}
      title="Drop a folder, a file or a ZIP here to register it."
      action={
        <>
          <CommandButton look="primary" icon={<FolderPlus aria-hidden />} command="register-folder">
            Choose a folder
          </CommandButton>
          <CommandButton icon={<Files aria-hidden />} command="register-files">
            Choose files or a ZIP
          </CommandButton>
          <Button icon={<FolderSearch aria-hidden />} onClick={() => run('watch-folder')}>
            Watch a folder
          </Button>
          {service.data?.sample_registered === false ? (
            <Button
              icon={<FlaskConical aria-hidden />}
              busy={sample.isPending || sample.isSuccess}
              onClick={() => sample.mutate()}
            >
              Register the sample measurement
            </Button>
          ) : null}
        </>
      }
    >
      <RemovedHint />
      <p>Every file is hashed and frozen; then lab machines can fetch it with a token.</p>
      <ProblemNote error={sample.error} />
    </EmptyState>
  );
}

function FirstInBrowser() {
  const session = useSession();
  return (
    <EmptyState
      icon={<FolderDown aria-hidden />}
      title={
        session.user?.is_admin === true ? 'There are no measurements.' : 'There are no measurements that you may read.'
      }
      action={
        <CommandButton look="primary" icon={<FolderUp aria-hidden />} command="upload">
          Upload
        </CommandButton>
      }
    >
      <RemovedHint />
      <p>Drop a folder here to upload it. On the machine that has the files, this command registers them:</p>
      <p className={styles['line']}>
        <code>{commandLine}</code>
        <CopyButton text={commandLine} label="Copy the command" />
      </p>
    </EmptyState>
  );
}
