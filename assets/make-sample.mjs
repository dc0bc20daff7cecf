// Writes assets/sample-measurement, the same bytes at every run: the photoluminescence of a perovskite film against temperature.
// It is run once and its result committed: `node assets/make-sample.mjs`.
import fs from 'node:fs';
import path from 'node:path';

const target = path.join(import.meta.dirname, 'sample-measurement');
const started = Date.UTC(2026, 1, 17, 9, 12, 4);
const pixels = 1024;
const rows = 400;
const temperatures = [80, 140, 200, 260, 295];

/** Mulberry32: small, seeded, good enough for detector noise. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A normally distributed number (Box and Muller). */
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const wavelength = (pixel) => 650.12 + 0.24412 * pixel - 2.1e-6 * pixel * pixel;

/** The emission line: it moves to the blue, widens and fades as the film gets warmer. */
function emission(nanometres, kelvin) {
  const centre = 788.4 - 0.071 * (kelvin - 80);
  const width = 8.2 + 0.043 * (kelvin - 80);
  const height = 41_000 / (1 + 9.4 * Math.exp(-310 / kelvin));
  const offset = (nanometres - centre) / width;
  return (
    height * Math.exp(-0.5 * offset * offset) + 0.06 * height * Math.exp(-0.5 * ((nanometres - centre - 26) / 17) ** 2)
  );
}

function write(name, content) {
  const file = path.join(target, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

function spectrum(kelvin) {
  const random = generator(kelvin);
  const lines = [
    `# temperature_K,${kelvin.toFixed(1)}`,
    '# integration_s,0.500',
    '# accumulations,20',
    'wavelength_nm,counts,standard_deviation',
  ];
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const clean = 612 + emission(wavelength(pixel), kelvin);
    const deviation = Math.sqrt(clean / 20 + 9);
    lines.push(
      `${wavelength(pixel).toFixed(3)},${(clean + deviation * normal(random)).toFixed(2)},${deviation.toFixed(2)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A frame of the detector: little-endian 16-bit counts, row after row, the slit's image in the middle rows. */
function frame(kelvin, dark) {
  const random = generator(dark ? 7 : 1000 + kelvin);
  const data = Buffer.alloc(rows * pixels * 2);
  for (let row = 0; row < rows; row += 1) {
    const slit = dark ? 0 : Math.exp(-0.5 * ((row - 203) / 27) ** 2);
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const clean = 604 + (dark ? 0 : 0.9 * slit * emission(wavelength(pixel), kelvin));
      data.writeUInt16LE(
        Math.max(0, Math.min(65_535, Math.round(clean + Math.sqrt(clean * 0.4) * normal(random)))),
        (row * pixels + pixel) * 2,
      );
    }
  }
  return data;
}

fs.rmSync(target, { recursive: true, force: true });
temperatures.forEach((kelvin, position) =>
  write(`spectra/pl-${String(position + 1).padStart(2, '0')}-${kelvin}K.csv`, spectrum(kelvin)),
);
write('raw/detector-80K.u16', frame(80, false));
write(
  'calibration/wavelength.csv',
  `${['pixel,wavelength_nm', ...Array.from({ length: pixels / 16 }, (_, step) => `${step * 16},${wavelength(step * 16).toFixed(4)}`)].join('\n')}\n`,
);
write(
  'metadata.json',
  `${JSON.stringify(
    {
      title: 'Photoluminescence of a perovskite film against temperature',
      sample: { name: 'CsFAPbI3 film 7', substrate: 'fused silica, 0.5 mm', thickness_nm: 420 },
      instrument: {
        spectrometer: 'grating 300 lines/mm, blaze 750 nm',
        slit_um: 50,
        detector: `CCD ${pixels} x ${rows}, 16 bit, -65 °C`,
      },
      excitation: { wavelength_nm: 532, power_mW: 0.8, spot_um: 12 },
      started: new Date(started).toISOString(),
      series: temperatures.map((kelvin, position) => ({
        file: `spectra/pl-${String(position + 1).padStart(2, '0')}-${kelvin}K.csv`,
        temperature_K: kelvin,
        time: new Date(started + position * 1_260_000).toISOString(),
      })),
      raw: {
        file: 'raw/detector-80K.u16',
        encoding: 'unsigned 16 bit, little endian, row after row',
        columns: pixels,
        rows,
      },
    },
    null,
    2,
  )}\n`,
);
write(
  'README.txt',
  `Sample measurement of Benchport

Five spectra of a perovskite film, from 80 K to room temperature, with one raw
frame of the detector and the wavelength calibration. The numbers are computed,
not measured; they have the shape and the noise of a real series.

metadata.json               what was measured, with what, when
spectra/pl-NN-TTTK.csv      wavelength, counts, standard deviation
raw/detector-80K.u16        one frame, ${pixels} x ${rows} pixels of 16 bits
calibration/wavelength.csv  pixel to wavelength, every 16th pixel
`,
);
