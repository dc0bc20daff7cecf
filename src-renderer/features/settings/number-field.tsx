import { SelectField } from '../../ui/controls/text-field.tsx';

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly choices: readonly number[];
  readonly onChange: (value: number) => void;
}

/** One of a few numbers. */
export function NumberField({ label, value, choices, onChange }: NumberFieldProps) {
  return (
    <SelectField
      label={label}
      value={String(value)}
      options={choices.map((choice) => ({ value: String(choice), label: String(choice) }))}
      onChange={(text) => onChange(Number(text))}
    />
  );
}
