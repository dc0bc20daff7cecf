import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FlaskConical, FolderPlus, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CommandId } from '../../context/command-catalogue.ts';
import { useApp } from '../../context/context.ts';
import { runWhenThere } from '../../context/run-when-there.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import styles from './first-run-screen.module.css';

/** The ways to start; each leads to its screen. */
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
          title="Share measurements"
          icon={<FolderPlus aria-hidden />}
          about="Turn the files of an instrument into a measurement: hashed, frozen, and ready for lab machines with a token."
          action={
            <>
              <Button onClick={() => leave('/measurements', 'register-folder')}>Register a folder</Button>
              <Button onClick={() => leave('/measurements', 'register-files')}>Register files or a ZIP</Button>
            </>
          }
        />
        <Choice
          title="Fetch measurements"
          icon={<Server aria-hidden />}
          about="Fetch measurements from another Benchport or a data manager into a folder of yours, every byte verified."
          action={<Button onClick={() => leave('/servers', 'add-server')}>Add a server</Button>}
        />
        {service.data?.sample_registered === false ? (
          <Choice
            title="Try it out"
            icon={<FlaskConical aria-hidden />}
            about="A small measurement that comes with Benchport, to look around with."
            action={
              <Button busy={sample.isPending || sample.isSuccess} onClick={() => sample.mutate()}>
                Register the sample
              </Button>
            }
          />
        ) : null}
      </div>
      <ProblemNote error={sample.error} />
    </>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly icon: ReactNode;
  readonly about: string;
  readonly action: ReactNode;
}

function Choice({ title, icon, about, action }: ChoiceProps) {
  return (
    <div className={styles['choice']}>
      <h3 className={styles['choiceTitle']}>
        {icon}
        {title}
      </h3>
      <p>{about}</p>
      {action}
    </div>
  );
}
