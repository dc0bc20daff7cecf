import { useId, type ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';

/** A value to choose or to be suggested, and the text for people. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface TextFieldProps
  extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'list' | 'children'> {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Values that the browser offers while the user types. */
  readonly suggestions?: readonly Option[];
}

/** A field for one line of text, a number or a day. */
export function TextField({ label, hint, error = null, state, onChange, suggestions, ...input }: TextFieldProps) {
  const listId = useId();
  return (
    <Field label={label} hint={hint} error={error} state={state}>
      {(wiring) => (
        <>
          <input
            autoComplete="off"
            {...(suggestions === undefined ? {} : { list: listId })}
            {...input}
            {...wiring}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions === undefined ? null : (
            <datalist id={listId}>
              <Options of={suggestions} />
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** A field for a password that the user knows, or chooses. */
export function PasswordField({ isNew = false, ...field }: { readonly isNew?: boolean } & TextFieldProps) {
  const autoComplete = isNew ? 'new-password' : 'current-password';
  return <TextField type="password" autoComplete={autoComplete} spellCheck={false} maxLength={128} {...field} />;
}

export interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly options: readonly Option[];
  readonly disabled?: boolean;
  readonly onChange: (value: string) => void;
}

/** A field with a few values to choose from. */
export function SelectField({ value, options, disabled, onChange, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(wiring) => (
        <select {...wiring} value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
          <Options of={options} />
        </select>
      )}
    </Field>
  );
}

/** The options of a select or a list of suggestions. */
export function Options({ of }: { readonly of: readonly Option[] }) {
  return of.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
