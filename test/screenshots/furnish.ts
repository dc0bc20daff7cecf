import { appendFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestService } from '../service/start.ts';
import { throughWindow } from './window-page.ts';

interface Example {
  readonly id: string;
  readonly title: string;
  /** Names with sizes in bytes; the files are sparse. */
  readonly files: Readonly<Record<string, number>>;
}

const mib = 1024 * 1024;

const examples: readonly Example[] = [
  { id: 'afm-scan-22', title: 'AFM scan 22, silicon', files: { 'scan.gwy': 48 * mib, 'notes.txt': 2100 } },
  { id: 'hplc-2026-031', title: 'HPLC batch 31', files: { 'batch.csv': 740_000, 'chromatograms.cdf': 12 * mib } },
  {
    id: 'ms-run-0091',
    title: 'Mass spectrometry, run 91',
    files: Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [`raw/scan-${String(i).padStart(3, '0')}.raw`, 20 * mib]),
    ),
  },
  {
    id: 'xrd-0450',
    title: 'Powder diffraction 450',
    files: { 'pattern.xy': 310_000, 'pattern.raw': 5 * mib, 'refinement/model.cif': 18_000 },
  },
  {
    id: 'qmr-2026-114',
    title: 'Magnetic resonance 114',
    files: {
      'acquisition/parameters.json': 9_400,
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [`frames/frame-${String(i).padStart(4, '0')}.dat`, (4 + (i % 5)) * mib]),
      ),
      'notes.md': 1_830,
    },
  },
];

/** Fills a service with measurements, grants, tokens and transfers, through its API. */
export async function furnish(service: TestService, folder: string): Promise<void> {
  const alice = await service.services.users.byUsername('alice');
  if (!alice) throw new Error('there is no alice');
  const bob = await service.user('bob');
  for (const example of examples) {
    const root = path.join(folder, example.id);
    for (const [name, size] of Object.entries(example.files)) {
      const file = path.join(root, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, '');
      await truncate(file, size);
    }
    const job = await ask(service, 'POST', '/api/v4/local/registrations', {
      path: root,
      id: example.id,
      title: example.title,
    });
    await ended(service, job.id);
  }
  await ask(service, 'POST', '/api/v4/measurements/qmr-2026-114/grants', { user: 'bob' });
  await ask(service, 'POST', '/api/v4/measurements/qmr-2026-114/grants', {
    everyone: true,
    until: '2027-03-31T00:00:00.000Z',
  });
  for (const [name, scopes] of [
    ['bench 3', ['read_measurement']],
    ['notebook server', ['read_api']],
  ] as const) {
    const created = await ask(service, 'POST', '/api/v4/user/personal_access_tokens', {
      name,
      scopes,
      expires_at: '2027-01-15',
    });
    const headers = { authorization: `Bearer ${created.token}` };
    for (const route of [
      '/measurements/qmr-2026-114/files',
      '/measurements/qmr-2026-114/files/3',
      '/measurements/qmr-2026-114',
    ]) {
      const range = name === 'bench 3' ? { range: 'bytes=0-1048575' } : {};
      const answer = await fetch(`http://127.0.0.1:${service.port}${route}`, { headers: { ...headers, ...range } });
      await answer.arrayBuffer();
    }
  }
  const project = await ask(service, 'POST', '/api/v4/projects', { path: 'lab/qmr', name: 'Quantum magnetometry' });
  await ask(service, 'PUT', `/api/v4/projects/${project.id}/error_tracking/settings`, {
    active: true,
    integrated: true,
  });
  await ask(service, 'PUT', `/api/v4/projects/${project.id}/members/${bob}`, { role: 'developer' });
  await appendFile(path.join(folder, 'ms-run-0091', 'raw', 'scan-004.raw'), 'more');
  await ended(service, (await ask(service, 'POST', '/api/v4/measurements/ms-run-0091/verify', {})).id);
}

async function ended(service: TestService, id: number): Promise<void> {
  for (;;) {
    const job = await ask(service, 'GET', `/api/v4/jobs/${id}`);
    if (job.state === 'done') return;
    if (job.state === 'failed') throw new Error(job.message);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Answer {
  readonly id: number;
  readonly state: string;
  readonly message: string;
  readonly token: string;
}

/** Sends a request over the private socket. @throws if it is refused. */
export async function ask(service: TestService, method: string, route: string, body?: unknown): Promise<Answer> {
  const answer = await throughWindow(service, method, route, body === undefined ? '' : JSON.stringify(body));
  if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.body}`);
  return JSON.parse(answer.body) as Answer;
}
