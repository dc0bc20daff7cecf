// npm run screenshots [-- NAME]: takes the pictures of docs/screenshots in Chromium, of all scenes
// in states.ts and preview-scenes.ts, or of those whose names begin with NAME. Needs the built renderer (npm run build).
import { chromium } from '@playwright/test';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { cameraOf } from './camera.ts';
import { shootPreviews } from './preview-scenes.ts';
import { shootService } from './service.ts';
import { shootStates } from './states.ts';

const target = path.resolve(import.meta.dirname, '../../docs/screenshots');
const begin = process.argv[2] ?? '';

const browser = await chromium.launch({
  executablePath: process.env['BENCHPORT_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const camera = cameraOf(browser, target);
  await mkdir(target, { recursive: true });
  if (begin === '') {
    for (const name of await readdir(target)) if (name.endsWith('.png')) await rm(path.join(target, name));
    await shootService(camera);
  }
  await shootStates(camera, begin);
  await shootPreviews(camera, begin);
} finally {
  await browser.close();
}
