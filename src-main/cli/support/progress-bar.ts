import type { LiveJob } from '../../service/jobs/run-job.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import type { Terminal } from './terminal.ts';

const width = 24;
const drawEveryMs = 200;

export interface ProgressBar {
  update(live: LiveJob): void;
  /** Removes the bar from the terminal. */
  clear(): void;
}

/** A progress bar on the last line of standard error; draws nothing unless that is a terminal. */
export function progressBar(terminal: Terminal): ProgressBar {
  const bar = rateBar(terminal);
  return {
    update: ({ progress, bytesPerSecond }) => bar.draw({ ...progress, bytesPerSecond }),
    clear: bar.clear,
  };
}

/** A bar for work that reports no rate: it shows the mean rate since the start. */
export function byteBar(terminal: Terminal): {
  readonly update: (progress: Bytes) => void;
  readonly clear: () => void;
} {
  const bar = rateBar(terminal);
  const began = performance.now();
  return {
    update: (progress) =>
      bar.draw({ ...progress, bytesPerSecond: (1000 * progress.bytesDone) / Math.max(1, performance.now() - began) }),
    clear: bar.clear,
  };
}

interface Bytes {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface RateBar {
  readonly draw: (shown: Bytes & { readonly bytesPerSecond: number }) => void;
  readonly clear: () => void;
}

/** A bar for work that reports its own rate. */
export function rateBar(terminal: Terminal): RateBar {
  if (terminal.stderr.isTTY !== true) return { draw: () => {}, clear: () => {} };
  let drawnAt = 0;
  return {
    draw: (shown) => {
      const now = performance.now();
      if (now - drawnAt < drawEveryMs) return;
      drawnAt = now;
      terminal.stderr.write(`\r${line(shown).slice(0, (terminal.stderr.columns ?? 80) - 1)}\u001B[K`);
    },
    clear: () => {
      if (drawnAt > 0) terminal.stderr.write('\r\u001B[K');
    },
  };
}

function line({ bytesDone, bytesTotal, bytesPerSecond }: Bytes & { readonly bytesPerSecond: number }): string {
  const part = bytesTotal > 0 ? Math.min(1, bytesDone / bytesTotal) : 0;
  const full = Math.round(part * width);
  const rate = bytesPerSecond > 0 ? `  ${formatBytes(bytesPerSecond)}/s` : '';
  const left = bytesPerSecond > 0 ? `  ${timeLeft((bytesTotal - bytesDone) / bytesPerSecond)} left` : '';
  return `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor(part * 100)} %  ${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}${rate}${left}`;
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
