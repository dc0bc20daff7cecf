import { useInfiniteQuery } from '@tanstack/react-query';
import type { MeasurementDetail } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format/quantities.ts';
import { Note } from '../../ui/note.tsx';
import { fileStateWords } from './file-state-words.ts';

const named = 3;

/** Says which files are no longer as they were registered. */
export function DegradedNote({ measurement, onShow }: { readonly measurement: MeasurementDetail; readonly onShow: () => void }) {
  const { queries } = useApp();
  const problems = useInfiniteQuery(queries.problemFiles(measurement.id));
  const files = (problems.data?.pages ?? []).flatMap((page) => page.files).slice(0, named);
  const more = measurement.problem_count - files.length;
  return (
    <Note kind="bad">
      <p>
        <strong>{countOf(measurement.problem_count, 'file')}</strong> {measurement.problem_count === 1 ? 'is' : 'are'} not as registered and{' '}
        {measurement.problem_count === 1 ? 'is' : 'are'} refused to readers. Put the original back, then verify.
      </p>
      {files.length === 0 ? null : (
        <ul>
          {files.map((file) => (
            <li key={file.index}>
              <code>{file.path}</code>: {fileStateWords[file.state]}
            </li>
          ))}
        </ul>
      )}
      {more > 0 ? (
        <p>
          <Button look="quiet" onClick={onShow}>
            Show all {countOf(measurement.problem_count, 'file')}
          </Button>
        </p>
      ) : null}
    </Note>
  );
}
