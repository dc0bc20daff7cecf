import { useBlocker } from '@tanstack/react-router';
import { useApp } from '../../context/context.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Confirms leaving a screen whose form has unsaved changes. */
export function UnsavedChanges({ changed, of }: { readonly changed: boolean; readonly of: string }) {
  const { desktop } = useApp();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    // A browser shows its own dialog. In the window, `beforeunload` would block closing silently;
    // closing it only hides it, or the application asks.
    enableBeforeUnload: () => changed && desktop === null,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      title="Leave without saving?"
      verb="Leave without saving"
      onConfirm={async () => leaving.proceed?.()}
      onClose={() => leaving.reset?.()}
    >
      The changes of {of} have not been saved.
    </ConfirmDialog>
  );
}
