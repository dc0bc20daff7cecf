import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Cancelled } from '../../api/problem.ts';
import { useApp } from '../../app/context.ts';
import { Choice, Choices } from '../../ui/field.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SettingNotRead } from './setting-not-read.tsx';
import styles from './settings-screen.module.css';

/** Whether Benchport keeps its own errors in a project; for administrators. */
export function OwnErrorsSetting() {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const state = useQuery(queries.ownErrors());
  // Shown as asked for while the service has not answered.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  async function change(on: boolean): Promise<void> {
    setWanted(on);
    setFailure(null);
    try {
      client.setQueryData(queries.ownErrors().queryKey, await actions.switchOwnErrors(on));
      await client.invalidateQueries({ queryKey: ['projects'] });
    } catch (error) {
      if (!(error instanceof Cancelled)) setFailure(error);
    } finally {
      setWanted(null);
    }
  }

  if (state.data === undefined) {
    return state.error === null ? null : (
      <div className={styles['group']}>
        <SettingNotRead heading="Errors of Benchport itself" error={state.error} onAgain={state.refetch} />
      </div>
    );
  }
  const { on, project } = state.data;
  return (
    <div className={styles['group']}>
      <Choices legend="Errors of Benchport itself">
        <Choice
          type="checkbox"
          name="own-errors"
          label="Keep them in a project here"
          meaning="Failures in the service and in the window become events like those of other programs, without secrets and file names. Nothing leaves this server. Administrators see the project."
          checked={wanted ?? on}
          onChange={(next) => void change(next)}
        />
      </Choices>
      {project === null ? null : (
        <div className={styles['links']}>
          <Link to="/projects/$path/errors" params={{ path: project.path }} className={styles['link'] ?? ''}>
            Errors in {project.path}
          </Link>
        </div>
      )}
      {on && project === null ? <p>Its project was deleted or accepts no errors. Switch this off and on again to create one.</p> : null}
      {failure === null ? null : <ProblemNote error={failure} />}
    </div>
  );
}
