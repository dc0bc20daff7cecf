import { useQueryClient } from '@tanstack/react-query';
import { useApp, useCommand, useSession } from '../../context/context.ts';
import { usePublicKeyPin, useReachable } from '../../context/reachable.ts';
import { copyOf, verifyAll, type Copyable } from './detail/measurement-actions.ts';
import type { OpenDialog } from './dialogs/measurement-dialogs.tsx';
import { mayManage } from './may-manage.ts';

/** Registers the commands of the screen that apply to these measurements, or to new ones. */
export function useMeasurementCommands(targets: readonly string[], onDialog: (dialog: OpenDialog) => void) {
  const app = useApp();
  const { desktop } = app;
  const { user } = useSession();
  const client = useQueryClient();
  const reachable = useReachable();
  const pin = usePublicKeyPin();
  const one = targets.length === 1 ? (targets[0] ?? null) : null;
  const manageable = mayManage(client, user, targets);
  const copy = (what: Copyable) =>
    targets.length === 0
      ? null
      : () =>
          void copyOf(
            app,
            { read: (id) => client.fetchQuery(app.queries.measurement(id)), reachable, pin },
            targets,
            what,
          );
  const register = (paths: readonly string[]): void => {
    if (paths.length > 0) onDialog({ kind: 'register', paths });
  };
  useCommand('register-folder', desktop === null ? null : () => void desktop.chooseFolders().then(register));
  useCommand('register-files', desktop === null ? null : () => void desktop.chooseFiles().then(register));
  useCommand('upload', desktop === null ? () => onDialog({ kind: 'upload', picked: null, names: null }) : null);
  useCommand('copy-url', copy('url'));
  useCommand('copy-curl', copy('curl'));
  useCommand('copy-manifest-url', copy('manifest'));
  useCommand('copy-checksums', copy('checksums'));
  useCommand('grant', !manageable ? null : () => onDialog({ kind: 'grant', ids: targets }));
  useCommand(
    'keep-copy',
    desktop === null || targets.length === 0 ? null : () => onDialog({ kind: 'keep-copy', ids: targets }),
  );
  useCommand('verify', !manageable ? null : () => void verifyAll(app, targets));
  useCommand(
    'export',
    desktop === null || targets.length === 0 ? null : () => onDialog({ kind: 'export', ids: targets }),
  );
  useCommand('rename', one === null || !manageable ? null : () => onDialog({ kind: 'rename', id: one }));
  useCommand('remove', !manageable ? null : () => onDialog({ kind: 'remove', ids: targets }));
  useCommand('removed-measurements', () => onDialog({ kind: 'removed' }));
  return { register };
}
