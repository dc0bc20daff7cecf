import { useNavigate } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { Button } from '../../ui/controls/button.tsx';
import screen from '../../ui/layout/screen.module.css';
import { BeginStep } from './begin-step.tsx';
import { DataStep } from './data-step.tsx';
import styles from './first-run-screen.module.css';
import { firstRunSteps, type FirstRunStep } from '../../context/first-run-store.ts';
import { PasswordStep } from './password-step.tsx';
import { SharingStep } from './sharing-step.tsx';

const words: Readonly<Record<FirstRunStep, { readonly word: string; readonly title: string | null }>> = {
  data: { word: 'Data', title: 'Where your data is stored' },
  password: { word: 'Password', title: 'A password for your account' },
  // The sections shown in these steps have titles of their own.
  sharing: { word: 'Sharing', title: null },
  begin: { word: 'Begin', title: 'Choose how to start' },
};
const bodies: Readonly<Record<FirstRunStep, ReactNode>> = {
  data: <DataStep />,
  password: <PasswordStep />,
  sharing: <SharingStep />,
  begin: <BeginStep />,
};

/** The first steps after the account was created. Each can be skipped and done later. */
export function FirstRunScreen() {
  const { firstRun } = useApp();
  const navigate = useNavigate();
  const at = useStore(firstRun, (state) => state.step) ?? 'data';
  const position = firstRunSteps.indexOf(at);
  const next = firstRunSteps[position + 1];
  const before = firstRunSteps[position - 1];
  const { goTo } = firstRun.getState();

  function leave(): void {
    goTo(null);
    void navigate({ to: '/measurements' });
  }

  return (
    <Screen
      title="Set up Benchport"
      action={
        <Button look="quiet" onClick={leave}>
          {next === undefined ? 'Not now' : 'Skip the rest'}
        </Button>
      }
    >
      <div className={screen['scroller']}>
        <div className={styles['page']}>
          <ol className={styles['steps']} aria-label="Steps">
            {firstRunSteps.map((step, index) => (
              <li key={step} className={styles['step']} aria-current={step === at ? 'step' : undefined}>
                <span className={styles['number']}>{index < position ? <Check aria-label="Seen" /> : index + 1}</span>
                {words[step].word}
              </li>
            ))}
          </ol>
          <Step key={at} step={at} />
          <div className={styles['foot']}>
            {before === undefined ? null : <Button onClick={() => goTo(before)}>Back</Button>}
            {next === undefined ? null : (
              <Button look="primary" onClick={() => goTo(next)}>
                Continue
              </Button>
            )}
          </div>
        </div>
      </div>
    </Screen>
  );
}

/** The content of one step. It takes the focus, because the button that led to it may be gone. */
function Step({ step }: { readonly step: FirstRunStep }) {
  const body = useRef<HTMLElement>(null);
  useEffect(() => body.current?.focus(), []);
  const { word, title } = words[step];
  return (
    <section ref={body} tabIndex={-1} className={styles['body']} aria-label={word}>
      {title === null ? null : <h2>{title}</h2>}
      {bodies[step]}
    </section>
  );
}
