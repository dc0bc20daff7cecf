import type { LiveJob } from '../service/jobs/run-job.ts';
import { formatBytes } from './format.ts';
import type { Terminal } from './terminal.ts';

const width = 24;
const drawEvery = 200;

export interface ProgressBar {
  update(live: LiveJob): void;
  /** Takes the bar off the terminal again. */
  clear(): void;
}

/** A bar on the terminal's last line; nothing at all where standard error is no terminal. */
export function progressBar(terminal: Terminal): ProgressBar {
  if (terminal.stderr.isTTY !== true) return { update: () => {}, clear: () => {} };
  let drawnAt = 0;
  return {
    update: (live) => {
      const now = performance.now();
      if (now - drawnAt < drawEvery) return;
      drawnAt = now;
      terminal.stderr.write(`\r${line(live).slice(0, (terminal.stderr.columns ?? 80) - 1)}\u001B[K`);
    },
    clear: () => {
      if (drawnAt > 0) terminal.stderr.write('\r\u001B[K');
    },
  };
}

function line({ progress, bytesPerSecond }: LiveJob): string {
  const part = progress.bytesTotal > 0 ? Math.min(1, progress.bytesDone / progress.bytesTotal) : 0;
  const full = Math.round(part * width);
  const rate = bytesPerSecond > 0 ? `  ${formatBytes(bytesPerSecond)}/s` : '';
  const left = bytesPerSecond > 0 ? `  ${timeLeft((progress.bytesTotal - progress.bytesDone) / bytesPerSecond)} left` : '';
  return `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor(part * 100)} %  ${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}${rate}${left}`;
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
