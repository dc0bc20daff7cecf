// npm run soak: mixed load with faults on the built service; an hour, or --minutes N. With --attack
// an attacker beside the load.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isBuildStale } from '../../scripts/lib/freshness.mjs';
import { reportText } from './report.ts';
import { soak } from './soak.ts';

const defaultMinutes = 60;
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: String(defaultMinutes) },
    attack: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('Give --minutes a number above zero.');
if (isBuildStale()) {
  const { buildAll } = await import('../../scripts/build.mjs');
  await buildAll();
}
const entry = path.resolve(import.meta.dirname, '../../out/service/service.js');
const report = await soak({ minutes, entry, attack: values.attack, say: (line) => console.log(line) });
console.log(reportText(report));
process.exitCode = report.good ? 0 : 1;
