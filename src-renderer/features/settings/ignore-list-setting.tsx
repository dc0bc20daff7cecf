import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { SettingGroup } from './answers/setting-group.tsx';
import { LinesForm } from './lines-form.tsx';
import { patternsOf, problemOfPatterns } from './patterns.ts';
import styles from './settings-screen.module.css';

/** Names that a registration leaves out. */
export function IgnoreListSetting() {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const list = useQuery(queries.ignoreList());
  return (
    <SettingGroup heading="Ignore list" of={list} className={styles['titled']}>
      {({ patterns, usual }) => (
        <LinesForm
          key={patterns.join('\n')}
          label="Ignore list"
          hint="Takes effect when it is saved. One pattern per line, case-insensitive: * matches anything, ? one character, a slash at the end a folder. Matching names are left out of new measurements; existing ones keep their files."
          name="the ignore list"
          stored={patterns}
          defaults={usual}
          rows={8}
          read={patternsOf}
          check={problemOfPatterns}
          save={async (next) => {
            const state = await actions.setIgnoreList(next);
            client.setQueryData(queries.ignoreList().queryKey, state);
            return state.patterns;
          }}
          counted={['pattern', 'patterns']}
          saved="Ignore list saved"
        />
      )}
    </SettingGroup>
  );
}
