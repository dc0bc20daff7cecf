import { useCallback, useMemo, useState } from 'react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import type { Picture } from './read-pictures.ts';

/** The pictures of a measurement by the indexes of its files, for as long as it is open. */
export interface Pictures {
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly tell: (index: number, picture: Picture) => void;
  /** Lets what could not be shown be read once more. */
  readonly forgetFailures: () => void;
}

const none: ReadonlyMap<number, Picture> = new Map();

/** Keeps pictures while other tabs and previews are shown; files that were registered anew have others. */
export function usePictures({ created_at: createdAt }: Pick<MeasurementDetail, 'created_at'>): Pictures {
  const [kept, setKept] = useState({ createdAt, pictures: none });
  const pictures = kept.createdAt === createdAt ? kept.pictures : none;
  const change = useCallback(
    (next: (pictures: ReadonlyMap<number, Picture>) => ReadonlyMap<number, Picture>) =>
      setKept((before) => ({ createdAt, pictures: next(before.createdAt === createdAt ? before.pictures : none) })),
    [createdAt],
  );
  return useMemo(
    () => ({
      pictures,
      tell: (index, picture) => change((before) => new Map(before).set(index, picture)),
      forgetFailures: () => change((before) => new Map([...before].filter(([, { kind }]) => kind !== 'failed'))),
    }),
    [pictures, change],
  );
}
