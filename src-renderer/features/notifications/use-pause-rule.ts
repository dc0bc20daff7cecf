import { useQueryClient } from '@tanstack/react-query';
import { toApiError } from '../../api/requests/problem.ts';
import type { NotificationRule } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { changedInput } from './dialog/rule-draft.ts';

/** Pauses a rule, or resumes it. */
export function usePauseRule(): (rule: NotificationRule) => void {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const pause = async (rule: NotificationRule): Promise<void> => {
    try {
      await actions.changeNotificationRule(rule.id, changedInput(rule, { paused: !rule.paused }));
      toast({ kind: 'plain', text: rule.paused ? `${rule.name} sends again` : `${rule.name} is paused` });
    } catch (error) {
      const verb = rule.paused ? 'resumed' : 'paused';
      toast({ kind: 'bad', text: `${rule.name} was not ${verb}`, detail: toApiError(error).detail });
    }
    await client.invalidateQueries({ queryKey: ['notifications', 'rules'] });
  };
  return (rule) => void pause(rule);
}
