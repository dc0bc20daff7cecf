import type { ReactNode } from 'react';
import screen from './screen.module.css';

export interface FilterChoicesProps<Value> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly word: ReactNode; readonly title?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  readonly className?: string | undefined;
}

/** Small buttons of which one is pressed, such as those that say which rows a list shows. */
export function FilterChoices<Value>({ label, choices, chosen, onChoose, className = '' }: FilterChoicesProps<Value>) {
  return (
    <div className={`${screen['choices']} ${className}`} role="group" aria-label={label}>
      {choices.map(({ value, word, title }) => (
        <button
          key={String(value)}
          type="button"
          aria-pressed={value === chosen}
          title={title}
          onClick={() => onChoose(value)}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
