import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { facilityVariables } from '../../src-main/cli/support/environment.ts';
import { mustRun, run } from '../service/run-program.ts';

const chart = path.resolve(import.meta.dirname, '../../deploy/helm');
const unit = path.resolve(import.meta.dirname, '../../deploy/systemd/benchport@.service');

/** The `helm` of the machine, or of the cache of the development (test/README.md); null without one. */
const helm = await (async () => {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
  const cached = path.join(cache, 'benchport-dev/helm-3.19.0/helm');
  if (existsSync(cached)) return cached;
  const found = await run('sh', ['-c', 'command -v helm']);
  return found.status === 0 ? found.stdout.trim() : null;
})();
if (helm === null) console.log('The chart is not rendered: there is no helm on this machine.');

const values = {
  baseUrl: 'https://bench.lab.example',
  trustedProxies: ['10.244.0.0/16'],
  database: { secretName: 'benchport-database', listenUrlKey: 'listen-url' },
  secretKey: { secretName: 'benchport-key' },
  objectStorage: {
    endpoint: 'https://s3.lab.example',
    bucket: 'lab',
    secretName: 'benchport-storage',
    caKey: 'ca.pem',
  },
  ingress: { enabled: true, tlsSecretName: 'bench-tls' },
  serviceMonitor: { enabled: true, tokenSecretName: 'prometheus' },
};

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [field: string]: unknown;
}
interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: unknown;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
}
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly template?: { readonly spec: PodSpec }; readonly [field: string]: unknown };
}

test('every value of the chart is in its schema, and every variable in its templates exists', async () => {
  const read = async (name: string) => readFile(path.join(chart, name), 'utf8');
  const defaults = parse(await read('values.yaml')) as object;
  const schema = JSON.parse(await read('values.schema.json')) as { readonly properties: object };
  const { global: _ofHelm, ...known } = schema.properties as Readonly<Record<string, unknown>>;
  expect(Object.keys(known).toSorted()).toEqual(Object.keys(defaults).toSorted());
  const names = await readdir(path.join(chart, 'templates'));
  const text = (await Promise.all(names.map(async (name) => read(`templates/${name}`)))).join('\n');
  const variables: readonly string[] = facilityVariables;
  const named = [...text.matchAll(/BENCHPORT_\w+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !variables.includes(name))).toEqual([]);
});

if (helm !== null)
  describe('the rendered chart', () => {
    let dir: string;
    let objects: readonly Rendered[];

    beforeAll(async () => {
      dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-helm-'));
      await writeFile(path.join(dir, 'values.yaml'), stringify(values));
      const text = await mustRun(helm ?? '', ['template', 'bench', chart, ...withValues(), '--kube-version', '1.31.0']);
      objects = parseAllDocuments(text).map((document) => document.toJS() as Rendered);
    });
    afterAll(async () => rm(dir, { recursive: true, force: true }));

    const withValues = () => ['--values', path.join(dir, 'values.yaml')];
    const podOf = (kind: string): PodSpec => {
      const found = objects.find((one) => one.kind === kind)?.spec.template?.spec;
      if (!found) throw new Error(`no ${kind} is rendered`);
      return found;
    };

    test('has what a facility needs', async () => {
      expect(await mustRun(helm ?? '', ['lint', '--strict', chart, ...withValues()])).toContain('0 chart(s) failed');
      expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
        'Deployment',
        'Ingress',
        'Job',
        'PersistentVolumeClaim',
        'PodDisruptionBudget',
        'Service',
        'ServiceMonitor',
      ]);
      expect(objects.find(({ kind }) => kind === 'PersistentVolumeClaim')?.spec).toMatchObject({
        accessModes: ['ReadWriteMany'],
      });
      expect(JSON.stringify(objects.find(({ kind }) => kind === 'Ingress'))).toContain('"host":"bench.lab.example"');
    });

    test('keeps measurements in the object storage that is named, and needs a bucket and a key for it', async () => {
      const env = podOf('Deployment').containers[0]?.env ?? [];
      const valueOf = (variable: string) => env.find(({ name }) => name === `BENCHPORT_${variable}`)?.value;
      expect(valueOf('S3_ENDPOINT')).toBe('https://s3.lab.example');
      expect(valueOf('S3_BUCKET')).toBe('lab');
      expect(valueOf('S3_PATH_STYLE')).toBe('true');
      expect(valueOf('CACHE_BYTES')).toBe('2147483648');
      const without = await run(helm ?? '', [
        'template',
        'bench',
        chart,
        ...withValues(),
        '--set',
        'objectStorage.bucket=,objectStorage.secretName=',
      ]);
      expect(without.status).not.toBe(0);
      for (const name of ['bucket', 'secretName']) expect(without.stderr).toContain(`objectStorage/${name}`);
    });

    test('leaves the library out where it is not wanted, and needs an object storage then', async () => {
      const render = async (set: string) =>
        run(helm ?? '', ['template', 'bench', chart, ...withValues(), '--kube-version', '1.31.0', '--set', set]);
      const rendered = await render('library.enabled=false');
      expect(rendered.status).toBe(0);
      expect(rendered.stdout).not.toMatch(/library|PersistentVolumeClaim/i);
      const nowhere = await render('library.enabled=false,objectStorage.endpoint=');
      expect(nowhere.status).not.toBe(0);
      expect(nowhere.stderr).toContain('objectStorage/endpoint');
    });

    test('names each value that is missing', async () => {
      const { status, stderr, stdout } = await run(helm ?? '', [
        'template',
        'bench',
        chart,
        '--kube-version',
        '1.31.0',
      ]);
      expect(status).not.toBe(0);
      for (const name of ['baseUrl', 'trustedProxies', 'database/secretName', 'secretKey/secretName'])
        expect(`${stderr}${stdout}`).toContain(name);
    });

    test.each(['Deployment', 'Job'])('confines the containers of its %s', (kind) => {
      const pod = podOf(kind);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod).toMatchObject({ automountServiceAccountToken: false });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    });

    test.each([
      ['Deployment', ['benchport-database', 'benchport-key', 'benchport-storage'], 6],
      ['Job', ['benchport-database', 'benchport-key'], 3],
    ])('gives secrets to its %s as files of existing secrets', (kind, secrets, count) => {
      const { containers, volumes } = podOf(kind);
      expect(volumes.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual(secrets);
      for (const { env, volumeMounts } of containers) {
        const secret = env.filter(({ name }) => /SECRET|ACCESS_KEY|S3_CA|DATABASE_(LISTEN_)?URL/.test(name));
        expect(secret).toHaveLength(count);
        for (const { value } of secret) expect(value).toMatch(/^\/run\/secrets\/(database|key|storage)\//);
        expect(volumeMounts.map(({ name }) => volumes.some((volume) => volume.name === name))).not.toContain(false);
      }
    });

    test('makes the tables before replicas start, and lets replicas drain', async () => {
      const job = objects.find(({ kind }) => kind === 'Job');
      expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      expect(podOf('Job').containers[0]?.args).toEqual(['database', 'migrate']);
      const seconds = /^TimeoutStopSec=(\d+)$/m.exec(await readFile(unit, 'utf8'))?.[1];
      expect(podOf('Deployment').terminationGracePeriodSeconds).toBe(Number(seconds));
      expect(podOf('Deployment').containers[0]).toMatchObject({
        readinessProbe: { httpGet: { path: '/-/readiness', port: 'http' } },
        livenessProbe: { httpGet: { path: '/-/health', port: 'http' } },
        ports: [{ name: 'http', containerPort: 7420 }],
      });
      expect(podOf('Deployment').containers[0]?.args.join(' ')).toContain('--port 7420');
    });
  });
