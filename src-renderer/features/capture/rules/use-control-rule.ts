import { useQueryClient } from '@tanstack/react-query';
import { toApiError } from '../../../api/requests/problem.ts';
import type { CaptureRule } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';

/** Pauses or resumes a rule. */
export function useControlRule(): (rule: CaptureRule, action: 'pause' | 'resume') => void {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  return (rule, action) => {
    actions
      .controlCapture(rule.id, action)
      .catch((error: unknown) =>
        toast({ kind: 'bad', text: `${rule.name} was not ${action}d`, detail: toApiError(error).detail }),
      )
      .finally(() => void client.invalidateQueries({ queryKey: ['captures'] }));
  };
}
