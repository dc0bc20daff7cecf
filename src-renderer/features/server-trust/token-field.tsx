import { TextField } from '../../ui/controls/text-field.tsx';

export interface TokenFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label?: string;
  readonly hint: string;
}

/** Masked field for a pasted token; surrounding characters from the clipboard are removed. */
export function TokenField({ value, onChange, label = 'Token', hint }: TokenFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      error={/^[\x21-\x7e]*$/.test(value) ? null : 'A token has only plain characters and no spaces.'}
      type="password"
      spellCheck={false}
      maxLength={4096}
      value={value}
      onChange={(text) => onChange(text.trim())}
    />
  );
}
