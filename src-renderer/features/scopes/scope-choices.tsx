import type { Scope } from '../../../src-main/service/contract/scope-meanings.ts';
import { Choice, Choices } from '../../ui/controls/field.tsx';
import { meaningOf } from './scope-words.ts';

export interface ScopeChoicesProps {
  readonly offered: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly hint: string;
  readonly onChange: (chosen: readonly Scope[]) => void;
}

/** Scopes to choose from, each with its meaning. */
export function ScopeChoices({ offered, chosen, hint, onChange }: ScopeChoicesProps) {
  return (
    <Choices legend="Scopes" hint={hint}>
      {offered.map((scope) => (
        <Choice
          key={scope}
          type="checkbox"
          name="scopes"
          label={<code>{scope}</code>}
          meaning={meaningOf(scope)}
          checked={chosen.includes(scope)}
          onChange={(checked) => onChange(checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
        />
      ))}
    </Choices>
  );
}
