import { useUnits } from '../../context/context.ts';
import { rateProblem, rateText, rateUnit, readRate } from '../../ui/controls/rate-text.ts';
import { TextSetting } from './text-setting.tsx';

export interface SpeedLimitSettingProps {
  readonly label: string;
  readonly hint: string;
  /** In bytes per second; null for none. */
  readonly limit: number | null;
  readonly save: (limit: number | null) => Promise<void>;
}

/** A limit of speed as a setting, in the units that the user has chosen. */
export function SpeedLimitSetting({ label, hint, limit, save }: SpeedLimitSettingProps) {
  const units = useUnits();
  return (
    <TextSetting
      label={`${label}, ${rateUnit(units)}`}
      hint={hint}
      kept={rateText(limit, units)}
      read={(text) => {
        const value = readRate(text, units);
        return value === undefined ? { problem: rateProblem(units) } : { value };
      }}
      save={save}
    />
  );
}
