import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApp } from '../../context/context.ts';
import { Choice, Choices } from '../../ui/controls/field.tsx';
import { useAutoSave } from './answers/auto-save.ts';
import { Saved } from './saved.tsx';
import { SettingGroup } from './answers/setting-group.tsx';
import styles from './settings-screen.module.css';

/** Whether Benchport stores its own errors in a project; for administrators. */
export function OwnErrorsSetting() {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const state = useQuery(queries.ownErrors());
  const { shown, saving, failure, change } = useAutoSave(state.data?.on ?? false, async (on) => {
    client.setQueryData(queries.ownErrors().queryKey, await actions.switchOwnErrors(on));
    await client.invalidateQueries({ queryKey: ['projects'] });
  });

  if (state.data === undefined) {
    return state.error === null ? null : (
      <SettingGroup heading="Errors of Benchport itself" of={state}>
        {() => null}
      </SettingGroup>
    );
  }
  const { on, project } = state.data;
  return (
    <div className={styles['group']}>
      <Choices legend="Errors of Benchport itself">
        <Choice
          name="own-errors"
          label="Keep them in a project here"
          meaning="Failures in the service and in the window become events like those of other programs, without secrets and file names. Nothing leaves this server. Administrators see the project."
          checked={shown}
          onChange={change}
        />
      </Choices>
      {project === null ? null : (
        <div className="row middle">
          <Link to="/projects/$path/errors" params={{ path: project.path }} className={styles['link'] ?? ''}>
            Errors in {project.path}
          </Link>
        </div>
      )}
      {on && project === null ? (
        <p>Its project was deleted or accepts no errors. Switch this off and on again to create one.</p>
      ) : null}
      <Saved saving={saving} failure={failure} />
    </div>
  );
}
