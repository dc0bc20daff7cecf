import { Field, type FieldProps } from '../../../ui/controls/field.tsx';
import styles from './rule-form.module.css';

export interface LinesFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for patterns, one a line. */
export function LinesField({ value, onChange, ...field }: LinesFieldProps) {
  return (
    <Field {...field}>
      {(wiring) => (
        <textarea
          {...wiring}
          className={`${wiring.className} ${styles['lines']}`}
          rows={Math.min(6, Math.max(2, value.split('\n').length))}
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
