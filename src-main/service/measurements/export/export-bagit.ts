import path from 'node:path';
import { nounOf } from '../../common/count-of.ts';
import { leftOutFile, leftOutText } from './export-left-out.ts';
import { fileSlices, writeText } from './export-text.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { MeasurementStores } from '../store/stores.ts';

/** Completes a bag (BagIt 1.0, RFC 8493) whose payload is already in `data/`. */
export async function writeBag(
  services: Pick<MeasurementStores, 'files' | 'leftOut'> & { readonly config: ServiceConfig },
  measurement: MeasurementRow,
  bag: string,
): Promise<void> {
  const tagFiles: [string, string][] = [];
  const tag = async (name: string, pieces: AsyncIterable<string> | Iterable<string>) => {
    tagFiles.push([await writeText(path.join(bag, name), pieces), name]);
  };
  await tag('bagit.txt', ['BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n']);
  await tag('bag-info.txt', [bagInfo(services, measurement)]);
  const leftOut = await services.leftOut.of(measurement.id);
  // An additional tag file, as section 2.2.4 permits.
  if (leftOut) await tag(leftOutFile, [leftOutText(leftOut)]);
  await tag('manifest-sha256.txt', payloadManifest(services, measurement.id));
  await writeText(path.join(bag, 'tagmanifest-sha256.txt'), [
    tagFiles.map(([sha256, name]) => `${sha256}  ${name}\n`).join(''),
  ]);
}

async function* payloadManifest(
  services: Pick<MeasurementStores, 'files'>,
  measurementId: string,
): AsyncGenerator<string> {
  for await (const rows of fileSlices(services, measurementId)) {
    yield rows.map((row) => `${row.sha256.toString('hex')}  data/${encodePath(row.path)}\n`).join('');
  }
}

// Section 2.1.3: only line ends and the percent sign are encoded.
function encodePath(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function bagInfo(services: { readonly config: ServiceConfig }, measurement: MeasurementRow): string {
  const lines: [string, string][] = [
    ['Bag-Software-Agent', `Benchport ${services.config.version}`],
    ['Bagging-Date', new Date().toISOString().slice(0, 10)],
    ['External-Identifier', measurement.id],
    ['External-Description', measurement.title],
    ['Bag-Size', `${measurement.total_bytes} ${nounOf(measurement.total_bytes, 'byte')}`],
    ['Payload-Oxum', `${measurement.total_bytes}.${measurement.file_count}`],
  ];
  return lines.map(([label, value]) => `${label}: ${value.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
}
