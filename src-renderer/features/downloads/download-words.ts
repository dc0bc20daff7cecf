import type { Download } from '../../api/requests/types.ts';
import { countOf, formatCount } from '../../../src-shared/format/quantities.ts';
import { transferEndWords } from '../../words/transfer-words.ts';

/** How much of the measurement was fetched. */
export function shareOf({
  outcome,
  as_archive: asArchive,
  files_whole: whole,
  file_count: count,
}: Pick<Download, 'outcome' | 'as_archive' | 'files_whole' | 'file_count'>): string {
  if (asArchive) return `ZIP of ${count === 1 ? 'the file' : `all ${formatCount(count)} files`}`;
  if (outcome === 'list') return 'Only the list of files';
  return `${formatCount(whole)} of ${countOf(count, 'file')}`;
}

export interface DownloadEnd {
  readonly kind: 'running' | 'good' | 'part' | 'bad';
  readonly word: string;
}

/** How a download ended, or that it still runs. */
export function endOf({ outcome, reason }: Pick<Download, 'outcome' | 'reason'>): DownloadEnd {
  switch (outcome) {
    case 'running':
      return { kind: 'running', word: 'running' };
    case 'whole':
      return { kind: 'good', word: 'whole' };
    case 'part':
      return { kind: 'part', word: 'a part' };
    case 'list':
      return { kind: 'part', word: 'list only' };
    case 'handed-over':
      return { kind: 'part', word: 'sent by the proxy' };
    case 'killed':
      return { kind: 'bad', word: transferEndWords('killed') };
    case 'failed':
      return { kind: 'bad', word: reason === null ? 'incomplete' : `incomplete: ${transferEndWords(reason)}` };
  }
}

/** The choices of the filter. */
export const outcomeChoices: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'Any' },
  { value: 'whole', label: 'Whole' },
  { value: 'part', label: 'A part' },
  { value: 'failed', label: 'Incomplete' },
  { value: 'list', label: 'List only' },
  { value: 'running', label: 'Running' },
  { value: 'killed', label: 'Service ended' },
  { value: 'handed-over', label: 'Sent by the proxy' },
];
