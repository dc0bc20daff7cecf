import { CircleCheck, CopyCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import type { MeasurementSummary } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { countOf, fractionDone } from '../../../../src-shared/format/quantities.ts';
import { StatusWord } from '../../../ui/notes/status-word.tsx';

/** The state of a measurement: an icon and a word, never colour only. */
export function StateWord({
  measurement,
}: {
  readonly measurement: Pick<MeasurementSummary, 'id' | 'state' | 'problem_count' | 'verified_copies'>;
}) {
  const { live } = useApp();
  const job = useStore(live, (state) =>
    measurement.state === 'registering'
      ? [...state.jobs.values()].find((one) => one.kind === 'register' && one.measurement_id === measurement.id)
      : undefined,
  );
  switch (measurement.state) {
    case 'available': {
      const copies = measurement.verified_copies;
      return copies === 0 ? (
        <StatusWord tone="ok" icon={CircleCheck} word="available" />
      ) : (
        <StatusWord
          tone="ok"
          icon={CopyCheck}
          title={`Available, with ${countOf(copies, 'verified copy', 'verified copies')} on other servers`}
          word={`available, ${countOf(copies, 'copy', 'copies')}`}
        />
      );
    }
    case 'degraded': {
      const files = countOf(measurement.problem_count, 'file');
      return (
        <StatusWord
          tone="bad"
          icon={TriangleAlert}
          title={`${files} altered, missing or unreadable`}
          word={`degraded${measurement.problem_count > 0 ? `, ${files}` : ''}`}
        />
      );
    }
    case 'registering': {
      const done = job === undefined ? '' : ` ${Math.floor(fractionDone(job) * 100)} %`;
      return <StatusWord tone="busy" icon={LoaderCircle} word={`registering${done}`} />;
    }
  }
}
