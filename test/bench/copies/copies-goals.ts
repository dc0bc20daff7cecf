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
  run: async (bench) => compared(bench, 'one large file', bench.large, 1),
};

/** Many small files. */
const small: Goal<CopiesBench> = {
  name: 'small',
  method: 'The same for many files of 10 KiB.',
  run: async (bench) => compared(bench, 'many small files', bench.small, 0.9),
};

export const copiesGoals: readonly Goal<CopiesBench>[] = [large, small];

async function compared(bench: CopiesBench, work: string, set: FileSet, wanted: number): Promise<Findings> {
  const runs = { Benchport: [] as Copied[], rsync: [] as Copied[], rclone: [] as Copied[] };
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    const all = {
      Benchport: await bench.push(set, round),
      rsync: await bench.rsync(set),
      rclone: await bench.rclone(set),
    };
    if (round === 0) continue;
    for (const name of ['Benchport', 'rsync', 'rclone'] as const) runs[name].push(all[name]);
  }
  const bytes = set.count * set.size;
  const rates = (of: readonly Copied[]): readonly number[] => of.map(({ seconds }) => bytes / seconds);
  const resident = spreadOf(runs.Benchport.map((one) => one.maxResidentBytes / 2 ** 20));
  return {
    rows: [
      spreadRow(work, 'rsync over ssh', ratios(rates(runs.Benchport), rates(runs.rsync)), {
        atLeast: wanted,
        unit: 'x',
      }),
      spreadRow(work, 'rclone over HTTPS', ratios(rates(runs.Benchport), rates(runs.rclone)), {
        atLeast: 1,
        unit: 'x',
      }),
      spreadRow(`${work}, memory of the sender`, '-', resident, { atMost: maxResidentMebibytes, unit: 'MiB' }),
    ],
    details: Object.entries(runs).map(([name, of]) => detailOf(work, name, rates(of))),
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
