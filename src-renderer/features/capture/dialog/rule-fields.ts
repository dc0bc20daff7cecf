import type { CaptureChoices } from '../../../api/requests/types.ts';
import type { RuleDraft, RuleFaults } from './rule-draft.ts';

/** Properties of each part of the form. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly faults: RuleFaults;
  readonly choices: CaptureChoices;
  /** Of the user who writes the rule. */
  readonly username: string;
  readonly onChange: (draft: RuleDraft) => void;
}
