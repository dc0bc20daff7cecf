import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Files, FlaskConical, FolderPlus, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CommandId } from '../../app/command-catalogue.ts';
import { useApp } from '../../app/context.ts';
import { runWhenThere } from '../../app/run-when-there.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './first-run-screen.module.css';

/** The first thing to do; each way leads to the screen where it goes on. */
export function BeginStep() {
  const { queries, actions, live, firstRun, commands } = useApp();
  const navigate = useNavigate();
  const service = useQuery(queries.service());
  const sample = useMutation({
    mutationFn: actions.registerSample,
    onSuccess: (job) => {
      live.getState().putJob(job);
      leave('/measurements');
    },
  });

  function leave(to: '/measurements' | '/servers', command?: CommandId): void {
    firstRun.getState().goTo(null);
    void navigate({ to }).then(() => command !== undefined && runWhenThere(commands, command));
  }

  return (
    <>
      <div className={styles['choices']}>
        <Choice
          about="Turn the files of an instrument into a measurement: hashed, frozen, and ready for lab machines with a token."
          action={
            <>
              <Button icon={<FolderPlus aria-hidden />} onClick={() => leave('/measurements', 'register-folder')}>
                Register a folder
              </Button>
              <Button icon={<Files aria-hidden />} onClick={() => leave('/measurements', 'register-files')}>
                Register files or a ZIP
              </Button>
            </>
          }
        />
        <Choice
          about="Fetch measurements from another Benchport or a data manager into a folder of yours, every byte verified."
          action={
            <Button icon={<Server aria-hidden />} onClick={() => leave('/servers', 'add-server')}>
              Add a server
            </Button>
          }
        />
        {service.data?.sample_registered === false ? (
          <Choice
            about="A small measurement that comes with Benchport, to look around with."
            action={
              <Button icon={<FlaskConical aria-hidden />} busy={sample.isPending || sample.isSuccess} onClick={() => sample.mutate()}>
                Register the sample measurement
              </Button>
            }
          />
        ) : null}
      </div>
      {sample.error === null ? null : <ProblemNote error={sample.error} />}
    </>
  );
}

function Choice({ about, action }: { readonly about: string; readonly action: ReactNode }) {
  return (
    <div className={styles['choice']}>
      <p>{about}</p>
      {action}
    </div>
  );
}
