import { useStore } from 'zustand';
import { useApp } from '../../context/context.ts';
import type { Theme } from '../../context/preferences.ts';
import { Choice, Choices } from '../../ui/controls/field.tsx';
import { exactBytes, formatBytes, type SizeUnits } from '../../../src-shared/format/quantities.ts';
import styles from './settings-screen.module.css';

const themes: readonly { readonly theme: Theme; readonly word: string }[] = [
  { theme: 'system', word: 'As the system' },
  { theme: 'light', word: 'Light' },
  { theme: 'dark', word: 'Dark' },
];

/** An example size in both units. */
const example = 41_017_344_000;
const units: readonly { readonly units: SizeUnits; readonly word: string; readonly steps: string }[] = [
  { units: 'iec', word: 'KiB, MiB, GiB', steps: 'Steps of 1\u202f024' },
  { units: 'si', word: 'kB, MB, GB', steps: 'Steps of 1\u202f000' },
];

/** Colours and units of this window or browser; changes apply at once. */
export function LooksSetting() {
  const { preferences } = useApp();
  const chosen = useStore(preferences);
  return (
    <>
      <div className={styles['group']}>
        <Choices legend="Appearance">
          {themes.map(({ theme, word }) => (
            <Choice
              key={theme}
              type="radio"
              name="theme"
              label={word}
              checked={chosen.theme === theme}
              onChange={() => chosen.change({ theme })}
            />
          ))}
        </Choices>
      </div>
      <div className={styles['group']}>
        <Choices legend="Sizes">
          {units.map((one) => (
            <Choice
              key={one.units}
              type="radio"
              name="units"
              label={one.word}
              meaning={`${one.steps}: ${exactBytes(example)} are ${formatBytes(example, one.units)}`}
              checked={chosen.units === one.units}
              onChange={() => chosen.change({ units: one.units })}
            />
          ))}
        </Choices>
      </div>
    </>
  );
}
