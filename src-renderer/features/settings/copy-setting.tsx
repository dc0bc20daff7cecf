import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CopySettings } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { useAutoSave } from './answers/auto-save.ts';
import { SettingGroup } from './answers/setting-group.tsx';
import { NumberField } from './number-field.tsx';
import { Saved } from './saved.tsx';
import { ScheduleChoice } from './schedule/schedule-choice.tsx';
import { SpeedLimitSetting } from './speed-limit-setting.tsx';

const upToEight = Array.from({ length: 8 }, (_, index) => index + 1);

/** Settings of copies on other servers: concurrency, rate and hours. */
export function CopySetting() {
  const { queries } = useApp();
  const settings = useQuery(queries.copySettings());
  return (
    <SettingGroup heading="Copies" of={settings}>
      {(data) => <AutoSavedCopySettings settings={data} />}
    </SettingGroup>
  );
}

function AutoSavedCopySettings({ settings }: { readonly settings: CopySettings }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const write = async (next: CopySettings): Promise<void> => {
    client.setQueryData(queries.copySettings().queryKey, await actions.setCopySettings(next));
  };
  const { shown, saving, failure, change } = useAutoSave(settings, write);
  const set = (one: Partial<CopySettings>): void => change({ ...shown, ...one });
  return (
    <>
      <h2>Copies</h2>
      <NumberField
        label="Copies sent at once"
        value={shown.at_most}
        choices={upToEight}
        onChange={(at_most) => set({ at_most })}
      />
      <SpeedLimitSetting
        label="Speed limit of copies"
        hint="Of all copies together. Empty for no limit."
        limit={shown.speed_limit}
        save={(speed_limit) => write({ ...shown, speed_limit })}
      />
      <ScheduleChoice
        name="copy-schedule"
        what="copies"
        schedule={shown.schedule}
        onChange={(schedule) => set({ schedule })}
      />
      <Saved saving={saving} failure={failure} />
    </>
  );
}
