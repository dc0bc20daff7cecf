import { TextField, type TextFieldProps } from '../../../ui/controls/text-field.tsx';
import { LinesField, type LinesFieldProps } from './lines-field.tsx';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';

type TextName = { [Name in keyof RuleDraft]: RuleDraft[Name] extends string ? Name : never }[keyof RuleDraft];

interface OfRule {
  readonly of: TextName;
  /** Without `faults` none are shown at the field. */
  readonly rule: Pick<RuleFieldsProps, 'draft' | 'onChange'> & Partial<Pick<RuleFieldsProps, 'faults'>>;
}

type Bound = 'value' | 'onChange' | 'error';

/** A text of the rule in one line. */
export function RuleText({ of, rule, ...rest }: OfRule & Omit<TextFieldProps, Bound>) {
  return <TextField {...rest} {...bound(of, rule)} />;
}

/** A text of the rule with one entry a line. */
export function RuleLines({ of, rule, ...rest }: OfRule & Omit<LinesFieldProps, Bound>) {
  return <LinesField {...rest} {...bound(of, rule)} />;
}

function bound(of: TextName, { draft, faults, onChange }: OfRule['rule']) {
  return { error: faults?.[of], value: draft[of], onChange: (text: string) => onChange({ ...draft, [of]: text }) };
}
