import { Link, useMatchRoute, useNavigate } from '@tanstack/react-router';
import {
  AppWindow,
  ArrowDownUp,
  Bell,
  BookOpenText,
  Bug,
  CircleUserRound,
  CopyCheck,
  Database,
  FolderKanban,
  FolderSearch,
  KeyRound,
  Keyboard,
  LogOut,
  RadioTower,
  ScrollText,
  Server,
  Settings,
  Share2,
  UserRoundCog,
  Users,
} from 'lucide-react';
import { HappeningsBell } from '../../features/happenings/happenings-bell.tsx';
import { Mark } from '../../ui/figures/mark.tsx';
import { Menu, type MenuEntry } from '../../ui/controls/menu.tsx';
import { narrowQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { useApp, useSession, useToast } from '../../context/context.ts';
import { toApiError } from '../../api/requests/problem.ts';
import { BenchCount, CaptureCount, DegradedCount, ErrorCount, TransferCount, useHasBenches } from './badges.tsx';
import styles from './sidebar.module.css';
import { useErrorsSeen } from './use-errors-seen.ts';

const screens = [
  { to: '/measurements', word: 'Measurements', icon: Database },
  { to: '/transfers', word: 'Transfers', icon: ArrowDownUp, windowOnly: true },
  { to: '/copies', word: 'Copies', icon: CopyCheck, windowOnly: true },
  { to: '/capture', word: 'Capture', icon: FolderSearch, windowOnly: true },
  { to: '/errors', word: 'Errors', icon: Bug },
  { to: '/servers', word: 'Servers', icon: Server, windowOnly: true },
  { to: '/benches', word: 'Benches', icon: RadioTower, adminOnly: true },
  { to: '/sharing', word: 'Sharing', icon: Share2, adminOnly: true },
  { to: '/tokens', word: 'Tokens', icon: KeyRound },
  { to: '/applications', word: 'Applications', icon: AppWindow },
] as const;

/** The number of entries that fit a narrow bar; the others are in the menu. */
const shownInNarrowBar = 4;

/** Shown in the menu where the bar has no room. */
const projects = { to: '/projects', word: 'Projects', icon: FolderKanban } as const;

/** For administrators; shown in the menu where the bar has no room. */
const administration = [
  { to: '/users', word: 'Users', icon: Users },
  { to: '/audit', word: 'Audit trail', icon: ScrollText },
] as const;

/** Links to the screens, with the signed-in user at the bottom. */
export function Sidebar() {
  const session = useSession();
  const { actions, commands, desktop } = useApp();
  const toast = useToast();
  const navigate = useNavigate();
  const narrow = useMedia(narrowQuery);
  const matches = useMatchRoute();
  // Errors and releases belong to a project; the entry leads to the last one.
  const onErrors =
    matches({ to: '/projects/$path/errors', fuzzy: true }) !== false ||
    matches({ to: '/projects/$path/releases' }) !== false;
  useErrorsSeen(onErrors || matches({ to: '/errors/all' }) !== false);
  const isAdmin = session.user?.is_admin === true;
  const hasBenches = useHasBenches(isAdmin);
  const usual = screens.filter(
    (one) =>
      (session.door === 'window' || !('windowOnly' in one)) &&
      (isAdmin || !('adminOnly' in one)) &&
      (one.to !== '/benches' || session.door === 'browser' || hasBenches),
  );
  const further = [projects, ...(isAdmin ? administration : [])];
  // A narrow bar starts with the screens that all users have.
  const inOrder = usual.toSorted((one, other) => Number('adminOnly' in one) - Number('adminOnly' in other));
  const inBar = narrow ? inOrder.slice(0, shownInNarrowBar) : [...usual, ...further];
  const inMenu = narrow ? [...inOrder.slice(shownInNarrowBar), ...further] : [];

  const signOut = (): void => {
    actions.signOut().then(
      () => window.location.assign('/users/sign_in'),
      (error: unknown) => toast({ kind: 'bad', text: 'Signing out failed', detail: toApiError(error).detail }),
    );
  };
  const run = (id: 'show-shortcuts') => (): void => commands.getState().handlers.get(id)?.();
  const entries: MenuEntry[] = [
    {
      kind: 'heading',
      id: 'who',
      label: `${session.user?.name ?? ''}${session.user?.is_admin === true ? ', administrator' : ''}`,
    },
    { kind: 'line', id: 'line-1' },
    {
      kind: 'item',
      id: 'account',
      label: 'Account',
      icon: <UserRoundCog />,
      run: () => void navigate({ to: '/account' }),
    },
    {
      kind: 'item',
      id: 'notifications',
      label: 'Notifications',
      icon: <Bell />,
      run: () => void navigate({ to: '/account/notifications' }),
    },
    ...inMenu.map(({ to, word, icon: Icon }): MenuEntry => ({
      kind: 'item',
      id: to,
      label: word,
      icon: <Icon />,
      run: () => void navigate({ to }),
    })),
    ...(narrow
      ? [
          {
            kind: 'item' as const,
            id: 'settings',
            label: 'Settings',
            icon: <Settings />,
            run: () => void navigate({ to: '/settings' }),
          },
        ]
      : []),
    { kind: 'line', id: 'line-2' },
    {
      kind: 'item',
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      icon: <Keyboard />,
      shortcut: '?',
      run: run('show-shortcuts'),
    },
    {
      kind: 'item',
      id: 'docs',
      label: 'HTTP interface',
      icon: <BookOpenText />,
      run: () =>
        desktop === null
          ? void window.open('/api/docs', '_blank', 'noopener')
          : void desktop.openInBrowser('/api/docs'),
    },
    ...(session.door === 'browser'
      ? [{ kind: 'item' as const, id: 'sign-out', label: 'Sign out', icon: <LogOut />, run: signOut }]
      : []),
  ];

  return (
    <nav className={styles['sidebar']} aria-label="Screens">
      <div className={styles['brand']}>
        <Mark />
        <span>Benchport</span>
      </div>
      <ul className={styles['screens']}>
        {inBar.map(({ to, word, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles['link']}
              activeProps={{ 'aria-current': 'page' }}
              title={word}
              activeOptions={{ exact: to === '/projects' && onErrors }}
              {...(to === '/errors' && onErrors ? { 'aria-current': 'page' as const } : {})}
            >
              <Icon aria-hidden />
              <span>{word}</span>
              {to === '/transfers' ? <TransferCount /> : null}
              {to === '/capture' ? <CaptureCount /> : null}
              {to === '/benches' ? <BenchCount /> : null}
              {to === '/measurements' ? <DegradedCount /> : null}
              {to === '/errors' ? <ErrorCount /> : null}
            </Link>
          </li>
        ))}
      </ul>
      <HappeningsBell
        className={`${styles['link']} ${styles['bell']}`}
        badge={`${styles['badge']} ${styles['asks']}`}
      />
      {narrow ? null : (
        <Link to="/settings" className={styles['link']} activeProps={{ 'aria-current': 'page' }} title="Settings">
          <Settings aria-hidden />
          <span>Settings</span>
        </Link>
      )}
      <Menu
        side="top"
        entries={entries}
        trigger={
          <button type="button" className={styles['user']} aria-label={`Signed in as ${session.user?.username ?? ''}`}>
            <CircleUserRound aria-hidden />
            <span>{session.user?.username}</span>
          </button>
        }
      />
    </nav>
  );
}
