import { useQueryClient } from '@tanstack/react-query';
import { toApiError } from '../../../api/requests/problem.ts';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { withItems, type Choice } from './choice.ts';
import { allFound } from './all-found.ts';
import type { Choosing } from './use-grid-actions.ts';
import type { WalkState } from './walk.ts';

/** Choosing files of a measurement: one by one, all of them, or all that a search finds. */
export function useChoosing(measurement: MeasurementDetail, search: string, { walk, change }: WalkState): Choosing {
  const { queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const onChange = (next: (choice: Choice) => Choice): void =>
    change((before) => ({ ...before, choice: next(before.choice) }));
  const { id, file_count: files, total_bytes: bytes, problem_count: problems } = measurement;
  const chooseFound = async (): Promise<void> => {
    try {
      const { items, more } = await allFound((after) => client.fetchQuery(queries.foundPage(id, search, after)));
      onChange((choice) => withItems(choice, items, true));
      if (more) toast({ kind: 'plain', text: `The first ${countOf(items.length, 'file')} found are chosen` });
    } catch (error) {
      toast({ kind: 'bad', text: 'Not all could be chosen', detail: toApiError(error).detail });
    }
  };
  return {
    choice: walk.choice,
    onChange,
    chooseAll: () => {
      if (search === '')
        onChange((choice) => withItems(choice, [{ first: 0, last: files - 1, bytes, problems }], true));
      else void chooseFound();
    },
  };
}
