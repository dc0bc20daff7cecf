import { useQuery } from '@tanstack/react-query';
import type { ClientKey, Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { useReachable } from '../../../context/reachable.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { Section } from '../../account/section.tsx';
import { ClientKeys } from '../keys/client-keys.tsx';
import { DsnFields } from '../keys/dsn-fields.tsx';
import { SdkSamples } from '../keys/sdk-tabs.tsx';
import { TestEvent } from '../keys/test-event.tsx';

export interface IntegratedBackendProps {
  readonly project: Project;
  /** Whether the DSN is displayed in full, here and in the samples. */
  readonly revealed: boolean;
  readonly onReveal: (revealed: boolean) => void;
}

/** The DSN for programs, above all settings because it is needed most. */
export function ProjectDsn({ project, revealed, onReveal }: IntegratedBackendProps) {
  const { queries } = useApp();
  const { data: keys, error, refetch } = useQuery(queries.clientKeys(project));
  const key = newestOf(keys);
  if (keys === undefined)
    return error === null ? null : (
      <Section title="DSN">
        <NotLoaded of={{ data: keys, error, refetch }} />
      </Section>
    );
  return key === undefined ? null : (
    <Section
      title="DSN"
      about="It tells programs where to send their errors. Keep it secret, and rotate its key if it leaks."
    >
      <DsnFields clientKey={key} revealed={revealed} onReveal={onReveal} />
    </Section>
  );
}

/** The client keys behind the DSN, a test event, and samples for each SDK. */
export function IntegratedBackend({ project, revealed }: Omit<IntegratedBackendProps, 'onReveal'>) {
  const { queries } = useApp();
  const { data: keys } = useQuery(queries.clientKeys(project));
  const reachable = useReachable();
  const key = newestOf(keys);
  if (keys === undefined) return null;
  return (
    <>
      <ClientKeys project={project} keys={keys} />
      {key === undefined ? null : (
        <>
          <Section title="Try it" about="Stores an event marked as a test, in the same way as one from a program.">
            <TestEvent project={project} />
          </Section>
          <Section title="In your program" about="Each sends one error. The copied text contains the DSN.">
            <SdkSamples dsn={reachable(key.sentry_dsn)} publicKey={key.public_key} revealed={revealed} />
          </Section>
        </>
      )}
    </>
  );
}

/** After a rotation the newest key is used. */
function newestOf(keys: readonly ClientKey[] | undefined): ClientKey | undefined {
  return keys?.findLast((one) => one.active);
}
