import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { ConfirmIdentity } from '../../features/account/confirm-identity.tsx';
import { CommandPalette } from '../palette/command-palette.tsx';
import { useApp, useCommand, useSession } from '../../context/context.ts';
import { useDesktopRoutes } from './desktop-routes.ts';
import styles from './frame.module.css';
import { useGeneralCommands } from './general-commands.ts';
import { useLiveService } from './live-service.ts';
import { useCommandDispatch } from './run-commands.ts';
import { ServiceBanner } from './service-banner.tsx';
import { ShortcutHelp } from '../palette/shortcut-help.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toasts } from './toasts.tsx';
import { Printing, useFollowPrinting } from '../../ui/hooks/printing.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** Sidebar, content, status bar, and overlays. */
export function Frame() {
  useLiveService();
  useCommandDispatch();
  useGeneralCommands();
  useDesktopRoutes();
  useRecentOfUser();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  useCommand('open-palette', () => setPaletteOpen(true));
  useCommand('show-shortcuts', () => setHelpOpen(true));
  const main = useFocusOfScreen();
  useKeptFocus(main);
  const printing = useFollowPrinting();
  return (
    <div className={styles['frame']}>
      <ServiceBanner />
      <Sidebar />
      <main ref={main} tabIndex={-1} className={styles['content']}>
        <Printing.Provider value={printing}>
          <Outlet />
        </Printing.Provider>
      </main>
      <StatusBar />
      <Toasts />
      <CommandPalette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
      <ConfirmIdentity />
      <ShortcutHelp open={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/** Loads this user's recent entries. */
function useRecentOfUser(): void {
  const { recent } = useApp();
  const id = useSession().user?.id ?? 0;
  useEffect(() => recent.getState().readFor(id), [recent, id]);
}

/** Moves the focus to the new screen if the focused element was on the previous one. */
function useFocusOfScreen(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  // Until it is resolved the previous screen is still rendered.
  const at = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(at);
  useEffect(() => {
    if (before.current !== undefined && before.current !== at && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
    before.current = at;
  }, [at]);
  return main;
}
