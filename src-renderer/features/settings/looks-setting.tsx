import { useStore } from 'zustand';
import { useApp } from '../../context/context.ts';
import type { Theme } from '../../context/preferences.ts';
import { exactBytes, formatBytes, type SizeUnits } from '../../../src-shared/format/quantities.ts';
import { RadioChoices } from '../../ui/controls/radio-choices.tsx';
import styles from './settings-screen.module.css';

const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** An example size in both units. */
const example = 41_017_344_000;
const meaningIn = (units: SizeUnits, steps: string): string =>
  `Steps of ${steps}: ${exactBytes(example)} are ${formatBytes(example, units)}`;
const units: readonly { readonly value: SizeUnits; readonly label: string; readonly meaning: string }[] = [
  { value: 'iec', label: 'KiB, MiB, GiB', meaning: meaningIn('iec', '1\u202f024') },
  { value: 'si', label: 'kB, MB, GB', meaning: meaningIn('si', '1\u202f000') },
];

/** Colours and units of this window or browser; changes apply at once. */
export function LooksSetting() {
  const { preferences } = useApp();
  const chosen = useStore(preferences);
  return (
    <>
      <div className={styles['group']}>
        <RadioChoices
          legend="Appearance"
          name="theme"
          value={chosen.theme}
          choices={themes}
          onChange={(theme) => chosen.change({ theme })}
        />
      </div>
      <div className={styles['group']}>
        <RadioChoices
          legend="Sizes"
          name="units"
          value={chosen.units}
          choices={units}
          onChange={(next) => chosen.change({ units: next })}
        />
      </div>
    </>
  );
}
