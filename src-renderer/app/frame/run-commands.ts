import { useEffect } from 'react';
import { commands as catalogue, type CommandId } from '../../context/command-catalogue.ts';
import { useApp } from '../../context/context.ts';
import { commandFor, takesKey } from '../../context/shortcuts.ts';
import { useRunCommand } from '../../context/use-run-command.ts';

/** Whether a modal dialog, a menu or a list is open: the page behind it must not react to keys. */
function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
}

/** Runs commands for shortcuts and for the window's menu. */
export function useCommandDispatch(): void {
  const { commands, desktop, onMac } = useApp();
  const runAnywhere = useRunCommand();

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || takesKey(event.target, event.key) || isCovered()) return;
      const { handlers, screen } = commands.getState();
      const candidates = catalogue.filter((command) => command.scope === 'everywhere' || command.scope === screen);
      const command = commandFor(candidates, event, onMac);
      const run = command === undefined ? undefined : handlers.get(command.id);
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [commands, onMac]);

  useEffect(() => desktop?.onCommand((id) => runAnywhere(id as CommandId)), [runAnywhere, desktop]);
}
