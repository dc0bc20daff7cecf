import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { useReachable } from '../../app/reachable.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Section } from '../account/section.tsx';
import { ClientKeys } from './client-keys.tsx';
import { DsnFields } from './dsn-fields.tsx';
import { SdkSamples } from './sdk-tabs.tsx';
import { TestEvent } from './test-event.tsx';

/** What programs need to send their errors here: the DSN, the keys behind it, and how each SDK is told. */
export function IntegratedBackend({ project }: { readonly project: Project }) {
  const { queries } = useApp();
  const { data: keys, error, refetch } = useQuery(queries.clientKeys(project));
  const [revealed, setRevealed] = useState(false);
  const reachable = useReachable();
  // After a rotation the newest is the one to use.
  const key = keys?.findLast((one) => one.active);
  if (keys === undefined)
    return error === null ? null : (
      <Section title="DSN">
        <ProblemNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      </Section>
    );
  return (
    <>
      {key === undefined ? null : (
        <Section title="DSN" about="Programs are given it to know where to send their errors. Keep it secret, and rotate its key when it has leaked.">
          <DsnFields clientKey={key} revealed={revealed} onReveal={setRevealed} />
        </Section>
      )}
      <ClientKeys project={project} keys={keys} />
      {key === undefined ? null : (
        <>
          <Section title="Try it" about="Stores an event that says it is a test, the way an event of a program is.">
            <TestEvent project={project} />
          </Section>
          <Section title="In your program" about="Each sends one error. The copied text holds the DSN.">
            <SdkSamples dsn={reachable(key.sentry_dsn)} publicKey={key.public_key} revealed={revealed} />
          </Section>
        </>
      )}
    </>
  );
}
