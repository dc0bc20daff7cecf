import type { CommandId } from '../../context/command-catalogue.ts';
import { useApp } from '../../context/context.ts';
import { Button, type ButtonProps } from './button.tsx';

/** A button that runs a command of its screen, as its shortcut does. */
export function CommandButton({ command, ...button }: { readonly command: CommandId } & ButtonProps) {
  const { commands } = useApp();
  return <Button {...button} onClick={() => commands.getState().handlers.get(command)?.()} />;
}
