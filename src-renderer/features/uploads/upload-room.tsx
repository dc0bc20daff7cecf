import { useQuery } from '@tanstack/react-query';
import { useApp, useUnits } from '../../context/context.ts';
import { Note } from '../../ui/notes/note.tsx';
import { noRoomWords, usedWords } from '../quotas/quota-text.ts';

interface UploadRoom {
  /** The used part of each limit. */
  readonly uses: readonly { readonly whose: string; readonly words: string }[];
  /** Why the upload cannot fit; null when it may. */
  readonly refusal: string | null;
}

/**
 * Whether an upload fits into the limits of the user and the project, as far as is known. The
 * service decides: a limit that could not be read refuses nothing here, and neither is an upload
 * refused that began before, because its bytes are part of what is used.
 *
 * @param upload Its bytes, its id, and the path of a project or ''.
 */
export function useUploadRoom(upload: {
  readonly bytes: number;
  readonly id: string;
  readonly project: string;
}): UploadRoom {
  const { queries, uploads } = useApp();
  const units = useUnits();
  const own = useQuery({ ...queries.ownQuota(), staleTime: 0 });
  const ofProject = useQuery({
    ...queries.projectQuota(upload.project),
    staleTime: 0,
    enabled: upload.project !== '',
  });
  const unfinished = useQuery({
    queryKey: ['uploads', 'unfinished'],
    queryFn: async ({ signal }) => uploads.api.unfinished(signal),
  });
  const goesOn = (unfinished.data ?? []).some(({ measurement_id: id }) => id === upload.id);
  const limits = [
    { whose: 'Your limit', quota: own.data },
    ...(upload.project === '' ? [] : [{ whose: `The limit of ${upload.project}`, quota: ofProject.data }]),
  ];
  return {
    uses: limits.flatMap(({ whose, quota }) =>
      quota === undefined || quota.quota_bytes === null ? [] : [{ whose, words: usedWords(quota, units) }],
    ),
    refusal: goesOn ? null : noRoomWords(upload.bytes, limits, units),
  };
}

export function UploadRoomNote({ room: { uses, refusal } }: { readonly room: UploadRoom }) {
  return (
    <>
      {uses.map(({ whose, words }) => (
        <p key={whose} className="muted digits">{`${whose}: ${words}.`}</p>
      ))}
      {refusal === null ? null : (
        <div role="alert">
          <Note kind="bad">{refusal}</Note>
        </div>
      )}
    </>
  );
}
