import { spreadRow, type Detail, type Findings, type Goal } from '../goals/goal.ts';
import type { FileSet } from '../fixture/files.ts';
import { ratios, spreadOf } from '../statistics.ts';
import type { Copied, CopiesBench } from './copies-bench.ts';

const maxResidentMebibytes = 200;

/** One large file. */
const large: Goal<CopiesBench> = {
  name: 'large',
  method:
    'One measurement with one file, from the start of the copy until its receipt and its blocks are verified, over HTTPS; rsync -a over ssh, and rclone copy to its WebDAV server over HTTPS, as whole processes.',
  run: async (bench) => compared(bench, 'one large file', bench.large, { rsync: 1, rclone: 1 }),
};

/** Many small files. */
const small: Goal<CopiesBench> = {
  name: 'small',
  method: 'The same for many files of 10 KiB, without rclone, whose server takes minutes for them.',
  run: async (bench) => compared(bench, 'many small files', bench.small, { rsync: 0.9, rsyncSynced: 1 }),
};

export const copiesGoals: readonly Goal<CopiesBench>[] = [large, small];

const words = { rsync: 'rsync over ssh', rsyncSynced: 'rsync --fsync over ssh', rclone: 'rclone over HTTPS' } as const;
type Peer = keyof typeof words;

async function compared(
  bench: CopiesBench,
  work: string,
  set: FileSet,
  wanted: Readonly<Partial<Record<Peer, number>>>,
): Promise<Findings> {
  const peers = Object.keys(wanted) as readonly Peer[];
  const own: Copied[] = [];
  const theirs = new Map<Peer, Copied[]>(peers.map((peer) => [peer, []]));
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    const pushed = await bench.push(set, round);
    if (round > 0) own.push(pushed);
    for (const peer of peers) {
      const copied = await bench[peer](set, round);
      if (round > 0) theirs.get(peer)?.push(copied);
    }
  }
  const rates = (of: readonly Copied[]): readonly number[] => of.map(({ seconds }) => (set.count * set.size) / seconds);
  const resident = spreadOf(own.map((one) => one.maxResidentBytes / 2 ** 20));
  const rows = peers.map((peer) =>
    spreadRow(work, words[peer], ratios(rates(own), rates(theirs.get(peer) ?? [])), {
      atLeast: wanted[peer] ?? 1,
      unit: 'x',
    }),
  );
  const memory = { atMost: maxResidentMebibytes, unit: 'MiB' };
  return {
    rows: [...rows, spreadRow(`${work}, memory of the sender`, '-', resident, memory)],
    details: [['Benchport', own] as const, ...theirs].map(([name, of]) => detailOf(work, name, rates(of))),
  };
}

function detailOf(work: string, variant: string, rates: readonly number[]): Detail {
  const { median, min, max } = spreadOf(rates.map((rate) => rate / 1e6));
  const digits = (value: number): string => value.toFixed(value >= 100 ? 0 : 1);
  return {
    work,
    variant,
    figure: `${digits(median)} MB/s`,
    spread: `${digits(min)} to ${digits(max)}`,
    cpu: '-',
    others: '-',
  };
}
