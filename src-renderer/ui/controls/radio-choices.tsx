import { Fragment, type ReactNode } from 'react';
import { Choice, Choices } from './field.tsx';

export interface RadioChoicesProps<Value> {
  readonly legend: string;
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly meaning?: ReactNode;
    readonly disabled?: boolean;
    /** Shown below the choice while it is chosen. */
    readonly more?: ReactNode;
  }[];
  readonly onChange: (value: Value) => void;
}

/** One of several values, each with a line of explanation. */
export function RadioChoices<Value>({ legend, name, value: chosen, choices, onChange }: RadioChoicesProps<Value>) {
  return (
    <Choices legend={legend}>
      {choices.map(({ value, more, ...choice }) => (
        <Fragment key={String(value)}>
          <Choice type="radio" name={name} checked={value === chosen} onChange={() => onChange(value)} {...choice} />
          {value === chosen ? more : null}
        </Fragment>
      ))}
    </Choices>
  );
}
