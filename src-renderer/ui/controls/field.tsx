import { useId, type ReactNode } from 'react';
import styles from './field.module.css';

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  /** A word beside the label, such as `Saved`. */
  readonly state?: ReactNode;
  readonly children: (wiring: {
    id: string;
    className: string;
    'aria-describedby'?: string;
    'aria-invalid'?: true;
  }) => ReactNode;
}

/** A label, its control, a hint, and the error of the value. */
export function Field({ label, hint, error = null, state, children }: FieldProps) {
  const id = useId();
  const described = error !== null || hint !== undefined;
  return (
    <div className={styles['field']}>
      <div className={styles['head']}>
        <label htmlFor={id} className={styles['label']}>
          {label}
        </label>
        {state}
      </div>
      {children({
        id,
        className: styles['input'] ?? '',
        ...(described ? { 'aria-describedby': `${id}-more` } : {}),
        ...(error === null ? {} : { 'aria-invalid': true as const }),
      })}
      {described ? (
        <p id={`${id}-more`} className={error === null ? styles['hint'] : 'fault'}>
          {error ?? hint}
        </p>
      ) : null}
    </div>
  );
}

/** A group of choices under one legend. */
export function Choices({
  legend,
  hint,
  children,
}: {
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className={styles['choices']}>
      <legend className={styles['label']}>{legend}</legend>
      {hint === undefined ? null : <p className={styles['hint']}>{hint}</p>}
      {children}
    </fieldset>
  );
}

export interface ChoiceProps {
  /** A checkbox unless it is said. */
  readonly type?: 'radio' | 'checkbox';
  readonly name: string;
  readonly label: ReactNode;
  readonly meaning?: ReactNode;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** One choice with a line of explanation. */
export function Choice({ type = 'checkbox', name, label, meaning, checked, disabled = false, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles['choice']}>
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        {...(meaning === undefined ? {} : { 'aria-describedby': `${id}-meaning` })}
      />
      <label htmlFor={id}>{label}</label>
      {meaning === undefined ? null : (
        <p id={`${id}-meaning`} className={styles['meaning']}>
          {meaning}
        </p>
      )}
    </div>
  );
}
