import { TiffWriter } from './sample-tiff.ts';
import type { PageShape, TiffOptions } from './tiff-shape.ts';

/** A TIFF of some pages of 16 bits in packed strips; each value is page * 1000 + column. */
export function sampleTiff({
  pages = 1,
  options = {},
  ...shape
}: Partial<PageShape> & { readonly pages?: number; readonly options?: TiffOptions } = {}): Uint8Array {
  const writer = new TiffWriter(options);
  for (let page = 0; page < pages; page += 1)
    writer.add({ width: 40, height: 30, method: 8, value: ({ x }) => page * 1000 + x, ...shape });
  return writer.bytes();
}

/** OME-XML of two channels, and some depths. */
export function omeXml({ width = 600, height = 400, depths = 2 } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint16" SizeX="${width}" SizeY="${height}" SizeC="2" SizeZ="${depths}" SizeT="1"><Channel ID="Channel:0:0" Name="DAPI" SamplesPerPixel="1"/><Channel ID="Channel:0:1" Name="GFP &amp; more" SamplesPerPixel="1"/><TiffData/></Pixels></Image></OME>`;
}

/** A picture with edges at each scale: a wave, and a grid of lines 64 pixels apart. */
export function waves({ x, y, level }: { x: number; y: number; level: number }): number {
  const [fullX, fullY] = [x << level, y << level];
  const line = fullX % 64 < 2 || fullY % 64 < 2 ? 20_000 : 0;
  return line + Math.round(8000 + 6000 * Math.sin(fullX / 90) * Math.cos(fullY / 70));
}

/** An OME-TIFF of two channels and depths, in tiles, with smaller forms; the plane adds 100 to each value. */
export function sampleOmeTiff({ width = 600, height = 400, depths = 2, levels = 2 } = {}): Uint8Array {
  const writer = new TiffWriter({ isBig: true });
  for (let plane = 0; plane < 2 * depths; plane += 1)
    writer.add({
      width,
      height,
      tile: [128, 128],
      method: 8,
      levels,
      ...(plane === 0 ? { description: omeXml({ width, height, depths }) } : {}),
      value: (at) => waves(at) + plane * 100,
    });
  return writer.bytes();
}
