import { useState } from 'react';
import type { NotificationRule, NotificationTest } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';

/** A test message of a rule: on its way until it has a result or a failure. */
export interface RuleTest {
  readonly rule: NotificationRule;
  readonly result: NotificationTest | null;
  readonly failure: unknown;
}

/** Sends test messages, one at a time; the result of an earlier one is not taken for that of a later. */
export function useRuleTest() {
  const { actions } = useApp();
  const [test, setTest] = useState<RuleTest | null>(null);
  const start = (rule: NotificationRule): void => {
    const begun: RuleTest = { rule, result: null, failure: null };
    const end = (change: Partial<RuleTest>): void =>
      setTest((current) => (current === begun ? { ...begun, ...change } : current));
    setTest(begun);
    actions.testNotificationRule(rule.id).then(
      (result) => end({ result }),
      (failure: unknown) => end({ failure }),
    );
  };
  return { test, start, forget: (): void => setTest(null) };
}
