import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { CommandPalette } from './command-palette.tsx';
import { useCommand } from './context.ts';
import styles from './frame.module.css';
import { useGeneralCommands } from './general-commands.ts';
import { useLiveService } from './live-service.ts';
import { useCommandDispatch } from './run-commands.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toasts } from './toasts.tsx';

/** Sidebar, content, status bar, and what lies over them. */
export function Frame() {
  useLiveService();
  useCommandDispatch();
  useGeneralCommands();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  useCommand('open-palette', () => setPaletteOpen(true));
  useCommand('show-shortcuts', () => setHelpOpen(true));
  return (
    <div className={styles['frame']}>
      <Sidebar />
      <main className={styles['content']}>
        <Outlet />
      </main>
      <StatusBar />
      <Toasts />
      <CommandPalette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
      <ShortcutHelp open={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}
