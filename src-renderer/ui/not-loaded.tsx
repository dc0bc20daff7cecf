import { Button } from './button.tsx';
import { ProblemNote } from './problem-note.tsx';

export interface NotLoadedProps {
  /** Why it could not be read; null while there is something to show. */
  readonly error: unknown;
  readonly onAgain: () => Promise<unknown>;
  /** Of the space around it, where it needs some of its own. */
  readonly className?: string | undefined;
}

/** Stands where something would be that could not be read, with the way to try again. */
export function NotLoaded({ error, onAgain, className }: NotLoadedProps) {
  if (error === null) return null;
  const note = <ProblemNote error={error} action={<Button onClick={() => void onAgain()}>Try again</Button>} />;
  return className === undefined ? note : <div className={className}>{note}</div>;
}
