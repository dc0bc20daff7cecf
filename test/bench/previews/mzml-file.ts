import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { deflateSync } from 'node:zlib';

const partBytes = 4 * 1024 * 1024;
/** Different spectra, which repeat in the file with other numbers. */
const bodies = 64;

/** Identifier of a spectrum, from 0, as Thermo instruments give it. */
export const spectrumId = (number: number): string => `controllerType=0 controllerNumber=1 scan=${number + 1}`;

/** Writes parts in large pieces and knows where in the file it is. */
class Parts {
  readonly #stream;
  #waiting: string[] = [];
  #waitingBytes = 0;
  at = 0;

  constructor(file: string) {
    this.#stream = createWriteStream(file);
  }

  /** Only characters of one byte. */
  async write(text: string): Promise<void> {
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    this.at += text.length;
    if (this.#waitingBytes >= partBytes) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#stream.end();
    await finished(this.#stream);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting.join(''), 'latin1');
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (!this.#stream.write(bytes)) await once(this.#stream, 'drain');
  }
}

/**
 * Writes an indexed mzML as converters write it: each 16th spectrum is a survey of 2,000 peaks, the
 * others have 40 to 160, with the parameters of the instrument and of the ion.
 */
export async function writeMzml(file: string, count: number): Promise<void> {
  const parts = new Parts(file);
  const offsets = new Float64Array(count);
  const spectra = Array.from({ length: bodies }, (_, at) => bodyOf(at));
  await parts.write(
    `<?xml version="1.0" encoding="utf-8"?>\n<indexedmzML xmlns="http://psi.hupo.org/ms/mzml"><mzML version="1.1.0"><run id="run"><spectrumList count="${count}" defaultDataProcessingRef="p">\n`,
  );
  for (let number = 0; number < count; number += 1) {
    offsets[number] = parts.at + 8;
    await parts.write(
      `        <spectrum index="${number}" id="${spectrumId(number)}" ${spectra[number % bodies] ?? ''}`,
    );
  }
  await parts.write('</spectrumList></run></mzML>\n');
  const listAt = parts.at;
  await parts.write('<indexList count="1">\n  <index name="spectrum">\n');
  for (let number = 0; number < count; number += 1)
    await parts.write(`    <offset idRef="${spectrumId(number)}">${offsets[number] ?? 0}</offset>\n`);
  await parts.write(`  </index>\n</indexList>\n<indexListOffset>${listAt}</indexListOffset>\n</indexedmzML>\n`);
  await parts.end();
}

function bodyOf(at: number): string {
  const isSurvey = at % 16 === 0;
  const peaks = isSurvey ? 2000 : 40 + ((at * 37) % 120);
  const mz = Float64Array.from(
    { length: peaks },
    (_, peak) => 200 + peak * (1200 / peaks) + ((peak * 7919) % 97) / 1e3,
  );
  const intensity = Float32Array.from({ length: peaks }, (_, peak) => 1000 + ((peak * 104_729 + at) % 99_991));
  return `defaultArrayLength="${peaks}">
          <cvParam cvRef="MS" accession="MS:1000511" name="ms level" value="${isSurvey ? 1 : 2}"/>
          <cvParam cvRef="MS" accession="MS:1000580" name="MSn spectrum" value=""/>
          <cvParam cvRef="MS" accession="MS:1000130" name="positive scan" value=""/>
          <cvParam cvRef="MS" accession="MS:1000127" name="centroid spectrum" value=""/>
          <cvParam cvRef="MS" accession="MS:1000504" name="base peak m/z" value="${200 + at}.25" unitAccession="MS:1000040"/>
          <cvParam cvRef="MS" accession="MS:1000285" name="total ion current" value="1.${at}e07"/>
          <scanList count="1"><scan><cvParam cvRef="MS" accession="MS:1000016" name="scan start time" value="${at / 7}" unitAccession="UO:0000031"/></scan></scanList>
          <precursorList count="1"><precursor><selectedIonList count="1"><selectedIon><cvParam cvRef="MS" accession="MS:1000744" name="selected ion m/z" value="${400 + at}.5"/></selectedIon></selectedIonList></precursor></precursorList>
          <binaryDataArrayList count="2">
${arrayOf(mz, 'MS:1000514')}${arrayOf(intensity, 'MS:1000515')}          </binaryDataArrayList>
        </spectrum>
`;
}

function arrayOf(values: Float64Array | Float32Array, accession: string): string {
  const packed = deflateSync(Buffer.from(values.buffer)).toString('base64');
  const size = values instanceof Float32Array ? 'MS:1000521' : 'MS:1000523';
  return `            <binaryDataArray encodedLength="${packed.length}"><cvParam cvRef="MS" accession="${size}"/><cvParam cvRef="MS" accession="MS:1000574" name="zlib compression"/><cvParam cvRef="MS" accession="${accession}"/><binary>${packed}</binary></binaryDataArray>
`;
}
