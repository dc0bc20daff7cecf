import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { actOn } from '../../features/transfers/commands/act-on-fetches.ts';
import { useApp, useCommand, useSession } from '../../context/context.ts';

/** Commands that mean the same on every screen. */
export function useGeneralCommands(): void {
  const navigate = useNavigate();
  const app = useApp();
  const { preferences } = app;
  const client = useQueryClient();
  const session = useSession();
  const isAdministrator = session.user?.is_admin === true;
  const inWindow = session.door === 'window';
  useCommand('go-measurements', () => void navigate({ to: '/measurements' }));
  useCommand('go-transfers', inWindow ? () => void navigate({ to: '/transfers' }) : null);
  useCommand('go-copies', inWindow ? () => void navigate({ to: '/copies' }) : null);
  useCommand('go-capture', inWindow ? () => void navigate({ to: '/capture' }) : null);
  useCommand('go-servers', inWindow ? () => void navigate({ to: '/servers' }) : null);
  useCommand('go-tokens', () => void navigate({ to: '/tokens' }));
  useCommand('go-applications', () => void navigate({ to: '/applications' }));
  useCommand('go-errors', () => void navigate({ to: '/errors' }));
  useCommand('go-account', () => void navigate({ to: '/account' }));
  useCommand('go-notifications', () => void navigate({ to: '/account/notifications' }));
  useCommand('go-users', isAdministrator ? () => void navigate({ to: '/users' }) : null);
  useCommand('go-benches', isAdministrator ? () => void navigate({ to: '/benches' }) : null);
  useCommand('go-audit', isAdministrator ? () => void navigate({ to: '/audit' }) : null);
  useCommand('go-projects', () => void navigate({ to: '/projects' }));
  useCommand('go-sharing', isAdministrator ? () => void navigate({ to: '/sharing' }) : null);
  useCommand('go-settings', () => void navigate({ to: '/settings' }));
  const all = (action: 'pause' | 'resume') => () => void actOn(app, client, action, 'all');
  useCommand('pause-all-fetches', inWindow ? all('pause') : null);
  useCommand('resume-all-fetches', inWindow ? all('resume') : null);
  useCommand('theme-system', () => preferences.getState().change({ theme: 'system' }));
  useCommand('theme-light', () => preferences.getState().change({ theme: 'light' }));
  useCommand('theme-dark', () => preferences.getState().change({ theme: 'dark' }));
}
