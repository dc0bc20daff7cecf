import { isMeasurementId } from '../../../src-shared/measurement-names.ts';
import { TextField } from './text-field.tsx';

/** @returns why the service would refuse this id, or null. */
export function idFault(id: string): string | null {
  return isMeasurementId(id)
    ? null
    : 'Letters, digits, dots, hyphens and underscores; the first one a letter or a digit; at most 128.';
}

/** The id of a new measurement. */
export function MeasurementIdField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  return (
    <TextField
      label="Id"
      error={idFault(value)}
      hint="Part of every download URL. It cannot be changed later."
      required
      spellCheck={false}
      maxLength={128}
      value={value}
      onChange={onChange}
    />
  );
}
