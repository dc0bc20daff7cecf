import { useQueryClient } from '@tanstack/react-query';
import type { ErrorStatus, ErrorSummary } from '../../../api/requests/types.ts';
import { useApp, useCommand } from '../../../context/context.ts';
import { changeStatus } from './change-errors.ts';

/** Registers the commands that change the status of these errors; those without effect are off. */
export function useStatusCommands(targets: readonly (ErrorSummary & { readonly projectId: number })[]): void {
  const app = useApp();
  const client = useQueryClient();
  const set = (status: ErrorStatus) =>
    targets.some((error) => error.status !== status) ? () => void changeStatus(app, client, targets, status) : null;
  useCommand('resolve-error', set('resolved'));
  useCommand('ignore-error', set('ignored'));
  useCommand('reopen-error', set('unresolved'));
}
