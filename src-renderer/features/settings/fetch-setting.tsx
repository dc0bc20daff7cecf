import { FolderField } from './folder-field.tsx';
import { NumberField } from './number-field.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Desktop } from '../../context/desktop.ts';
import type { FetchSettings } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useAutoSave } from './answers/auto-save.ts';
import { Saved } from './saved.tsx';
import { ScheduleChoice } from './schedule/schedule-choice.tsx';
import styles from './settings-screen.module.css';
import { SettingGroup } from './answers/setting-group.tsx';
import { SpeedLimitSetting } from './speed-limit-setting.tsx';

const upToSixteen = Array.from({ length: 16 }, (_, index) => index + 1);

/** Settings of fetching: concurrency, rate, hours and default folder. */
export function FetchSetting({ desktop }: { readonly desktop: Desktop }) {
  const { queries } = useApp();
  const settings = useQuery(queries.fetchSettings());
  return (
    <SettingGroup heading="Fetching" of={settings}>
      {(data) => <AutoSavedFetchSettings settings={data} desktop={desktop} />}
    </SettingGroup>
  );
}

function AutoSavedFetchSettings({
  settings,
  desktop,
}: {
  readonly settings: FetchSettings;
  readonly desktop: Desktop;
}) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const write = async (next: FetchSettings): Promise<void> => {
    client.setQueryData(queries.fetchSettings().queryKey, await actions.setFetchSettings(next));
  };
  const { shown, saving, failure, change } = useAutoSave(settings, write);
  const set = (one: Partial<FetchSettings>): void => change({ ...shown, ...one });

  async function chooseFolder(): Promise<void> {
    const target = await desktop.chooseFetchFolder();
    if (target !== null) set({ target });
  }

  return (
    <>
      <h2>Fetching</h2>
      <div className={styles['pair']}>
        <NumberField
          label="Simultaneous fetches"
          value={shown.at_most}
          choices={upToSixteen}
          onChange={(at_most) => set({ at_most })}
        />
        <NumberField
          label="Connections per fetch"
          value={shown.connections}
          choices={upToSixteen}
          onChange={(connections) => set({ connections })}
        />
      </div>
      <SpeedLimitSetting
        label="Total speed limit"
        hint="Empty for no limit."
        limit={shown.speed_limit}
        save={(speed_limit) => write({ ...shown, speed_limit })}
      />
      <FolderField
        label="Default folder for fetches"
        hint="Empty: choose one for each fetch."
        folder={shown.target}
        onChoose={chooseFolder}
      >
        <Button look="quiet" disabled={shown.target === null} onClick={() => set({ target: null })}>
          Clear
        </Button>
      </FolderField>
      <ScheduleChoice
        name="schedule"
        what="fetches"
        schedule={shown.schedule}
        onChange={(schedule) => set({ schedule })}
      />
      <Saved saving={saving} failure={failure} />
    </>
  );
}
