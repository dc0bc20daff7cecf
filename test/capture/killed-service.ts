import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asWindow } from '../service/as-window.ts';

const lookEveryMs = 60;

/** A service process that is killed from time to time. */
export class KilledService {
  readonly socketPath: string;
  readonly launchSecret = 'a-secret-of-this-test-launch';
  kills = 0;
  readonly #dir: string;
  #child: ChildProcess | null = null;

  constructor(dir: string) {
    this.#dir = dir;
    this.socketPath = path.join(dir, 'run', 'window.sock');
  }

  async start(): Promise<void> {
    const script = path.join(import.meta.dirname, 'service-process.ts');
    const options = [path.join(this.#dir, 'data'), this.socketPath, this.launchSecret, String(lookEveryMs)];
    const child = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    await once(child.stdout, 'data');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
    this.kills += 1;
  }

  async request(method: string, address: string, body?: object): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await asWindow(this, method, address, body);
        if (answer.status < 300) return answer.body;
        throw new Error(`${method} ${address}: ${answer.status} ${JSON.stringify(answer.body)}`);
      } catch (error) {
        if (attempt === 100 || !/ECONN|ENOENT|hang up/.test(String(error))) throw error;
        await pause(100);
      }
    }
  }
}
