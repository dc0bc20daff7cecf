import { S3Storage } from '../../../src-main/service/object-storage/s3-storage.ts';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';
import { fillFrom } from './bytes-by-position.ts';

// A process that puts one object, and says which part it puts next; tests kill it.
const [settings = '', key = '', length = '0'] = process.argv.slice(2);
const given = JSON.parse(settings) as S3Settings;
const storage = new S3Storage({ ...given, endpoint: new URL(given.endpoint) });

await storage.put(
  key,
  Number(length),
  async (part, position) => {
    fillFrom(part, position);
    process.stdout.write(`part ${position}\n`);
  },
  new AbortController().signal,
);
process.stdout.write('done\n');
storage.close();
