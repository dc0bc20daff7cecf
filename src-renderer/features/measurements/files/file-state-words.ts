import type { FileStatus } from '../../../api/requests/types.ts';

/** The state of a file in a word. */
export const fileStateWords: Readonly<Record<FileStatus['state'], string>> = {
  ok: 'as registered',
  altered: 'altered',
  missing: 'missing',
  unreadable: 'unreadable',
};
