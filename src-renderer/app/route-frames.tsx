import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/notes/empty-state.tsx';
import { ProblemNote } from '../ui/notes/problem-note.tsx';
import { AdministratorsOnly } from '../ui/layout/administrators-only.tsx';
import { Frame } from './frame/frame.tsx';
import styles from './frame/frame.module.css';
import { SessionGate } from './session-gate.tsx';
import { WindowOnly } from '../ui/layout/window-only.tsx';

export function Root() {
  return (
    <SessionGate>
      <Frame />
    </SessionGate>
  );
}

/** Shown instead of a screen that threw an error. The frame around it stays. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <div className={styles['broken']}>
      <ProblemNote error={error} action={<Button onClick={reset}>Show it again</Button>} />
    </div>
  );
}

export function NotHere() {
  return <EmptyState title="This page does not exist." action={<Link to="/measurements">Go to Measurements</Link>} />;
}

/** A screen for the window only. */
export function inWindow(title: string, Screen: FunctionComponent): FunctionComponent {
  return () => (
    <WindowOnly title={title}>
      <Screen />
    </WindowOnly>
  );
}

export function forAdministrators(title: string, Screen: FunctionComponent): FunctionComponent {
  return () => (
    <AdministratorsOnly title={title}>
      <Screen />
    </AdministratorsOnly>
  );
}
