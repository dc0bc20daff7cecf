// Uploads a file with Uppy: node client.mjs FILE URL TOKEN ID
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

const [file, url, token, id] = process.argv.slice(2);
const uppy = new Uppy();
uppy.use(Tus, {
  endpoint: `${url}/api/v4/measurements/uploads`,
  headers: { authorization: `Bearer ${token}` },
  chunkSize: 1_000_000,
  retryDelays: [0, 100],
  allowedMetaFields: ['id', 'filename', 'title'],
});
const filename = path.basename(file);
const bytes = await readFile(file);
// In Node its tus client takes buffers, and its core asks for the size that a browser's file has.
uppy.addFile({
  name: filename,
  data: Object.assign(bytes, { size: bytes.length }),
  meta: { id, filename, title: 'Größe' },
});
const { successful, failed } = await uppy.upload();
console.log(JSON.stringify({ successful: successful.length, failed: failed.map(({ error }) => error) }));
