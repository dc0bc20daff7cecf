import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { mayMount } from '../service/may-mount.ts';
import { run } from '../service/run-program.ts';

/**
 * A separate disk for the data that can be made full at once: it shrinks to the size of its
 * content.
 */
export interface ShrinkingDisk {
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): void;
}

// Retention removes events when less than a gibibyte is free.
const roomy = 4 * 1024 ** 3;

/** Mounts one if this user may; otherwise null. */
export function shrinkingDisk(folder: string): ShrinkingDisk | null {
  if (!mayMount) return null;
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${roomy}`, 'benchport-kills', folder], { stdio: 'ignore' });
  const resize = async (bytes: number): Promise<boolean> =>
    (await run('mount', ['-o', `remount,size=${bytes}`, folder])).status === 0;
  return {
    fill: async () => {
      // Other processes write meanwhile, and a size below the content is refused.
      for (;;) {
        const { blocks, bfree, bsize } = await statfs(folder);
        if (await resize((blocks - bfree) * bsize)) return;
      }
    },
    free: async () => {
      if (!(await resize(roomy))) throw new Error('the disk cannot become larger again');
    },
    unmount: () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' }),
  };
}
