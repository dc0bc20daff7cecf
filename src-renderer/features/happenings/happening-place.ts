import type { Happening } from '../../api/requests/types.ts';

/** A screen about a happening, as far as there is one. */
export type HappeningPlace =
  | { readonly to: '/measurements/$measurementId'; readonly params: { readonly measurementId: string } }
  | {
      readonly to: '/projects/$path/errors/$errorId';
      readonly params: { readonly path: string; readonly errorId: string };
    }
  | { readonly to: '/projects/$path/errors'; readonly params: { readonly path: string } }
  | { readonly to: '/capture' | '/copies' | '/settings' | '/tokens' | '/servers' | '/account' | '/benches' };

type Placed = Pick<Happening, 'kind' | 'subject' | 'measurement_id' | 'project_path'>;

/** @param inWindow whether the screens of the machine are there. @returns null where no screen shows it. */
export function placeOfHappening(
  { kind, subject, measurement_id: measurementId, project_path: path }: Placed,
  inWindow: boolean,
): HappeningPlace | null {
  if (measurementId !== null) return { to: '/measurements/$measurementId', params: { measurementId } };
  const [what, id = ''] = subject.split(':');
  if (path !== null)
    return what === 'error'
      ? { to: '/projects/$path/errors/$errorId', params: { path, errorId: id } }
      : { to: '/projects/$path/errors', params: { path } };
  if (kind === 'sign-in-new-place') return { to: '/account' };
  if (kind === 'ending-soon' && (what === 'token' || what === 'user')) return { to: '/tokens' };
  if (kind === 'bench-silent') return { to: '/benches' };
  if (!inWindow) return null;
  if (kind === 'run-stuck') return { to: '/capture' };
  if (kind === 'copy-late') return { to: '/copies' };
  if (kind === 'ending-soon' && what === 'server') return { to: '/servers' };
  return kind === 'backup-late' ? { to: '/settings' } : null;
}
