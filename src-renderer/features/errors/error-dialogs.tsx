import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { mergeErrors } from './merge-errors.ts';

export type AskedOfErrors = { readonly kind: 'delete' | 'merge'; readonly ids: readonly string[] };

/** Confirms deleting and merging errors. */
export function ErrorDialogs({
  asked,
  project,
  onClose,
  onGone,
}: {
  readonly asked: AskedOfErrors | null;
  readonly project: Project;
  readonly onClose: () => void;
  readonly onGone: (ids: readonly string[]) => void;
}) {
  const app = useApp();
  const { actions } = app;
  const client = useQueryClient();
  const toast = useToast();
  if (asked === null) return null;
  const { kind, ids } = asked;
  const errors = ids.length === 1 ? 'this error' : countOf(ids.length, 'error');
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['errors', String(project.id)] });
  const merge = kind === 'merge';
  const remove = async (): Promise<void> => {
    await actions.deleteErrors(project.id, ids);
    toast({ kind: 'plain', text: ids.length === 1 ? 'Error deleted' : `${countOf(ids.length, 'error')} deleted` });
  };
  return (
    <ConfirmDialog
      open
      title={`${merge ? 'Merge' : 'Delete'} ${errors}?`}
      verb={merge ? 'Merge' : 'Delete'}
      onClose={onClose}
      onConfirm={async () => {
        await (merge ? mergeErrors(app, client, project.id, ids) : remove());
        onGone(ids);
        await refresh();
      }}
    >
      {merge ? (
        <p>
          They become one error, the one that was seen first, with the events of all. Later events of each go there too.
          You can separate them again in its overview.
        </p>
      ) : (
        <p>
          {ids.length === 1 ? 'It is' : 'They are'} deleted with all events, for everybody in {project.path}. This
          cannot be undone. When it occurs again, it is a new error.
        </p>
      )}
    </ConfirmDialog>
  );
}
