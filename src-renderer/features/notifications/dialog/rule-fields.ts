import type { NotificationChoices } from '../../../api/requests/types.ts';
import type { RuleAuthor, RuleDraft, RuleFaults } from './rule-draft.ts';

/** Each part of the form shows some settings of a draft and changes them. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly faults: RuleFaults;
  readonly author: RuleAuthor;
  readonly choices: NotificationChoices;
  /** Whether the rule is a new one: an existing rule keeps its channel. */
  readonly isNew: boolean;
  readonly onChange: (draft: RuleDraft) => void;
}
