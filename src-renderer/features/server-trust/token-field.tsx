import { Field } from '../../ui/controls/field.tsx';

export interface TokenFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label?: string;
  readonly hint: string;
}

/** A token that is pasted: what stands around it on a clipboard is left out, and nobody looks over a shoulder. */
export function TokenField({ value, onChange, label = 'Token', hint }: TokenFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={/^[\x21-\x7e]*$/.test(value) ? null : 'A token has only plain characters and no spaces.'}
    >
      {(wiring) => (
        <input
          {...wiring}
          type="password"
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      )}
    </Field>
  );
}
