// Run by hand after a change of the mark: makes the icons for Windows (.ico) and macOS (.icns) from
// the PNGs in assets/icons/.
import fs from 'node:fs';
import zlib from 'node:zlib';
import { inRoot } from './lib/project.mjs';

const picture = (size) => fs.readFileSync(inRoot(`assets/icons/${size}x${size}.png`));
// Windows scales 24 and 40 down from a larger size.
const icoSizes = [16, 32, 48, 64, 128, 256];
// Apple's type codes with their pixel sizes; high-density icons share a picture with the next size.
const icnsKinds = [
  ['icp4', 16],
  ['icp5', 32],
  ['icp6', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
];

/**
 * Builds the .ico: the largest size as PNG, the others as bitmaps, because installers and older
 * parts of Windows support no PNG.
 */
export function ico() {
  const images = icoSizes.map((size) => ({ size, bytes: size < 256 ? bitmap(picture(size)) : picture(size) }));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { size, bytes }] of images.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(bytes.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  }
  return Buffer.concat([head, ...images.map(({ bytes }) => bytes)]);
}

/** Builds the .icns: a sequence of typed pictures. */
export function icns() {
  const parts = icnsKinds.map(([kind, size]) => named(kind, picture(size)));
  return named('icns', Buffer.concat(parts));
}

function named(kind, bytes) {
  const head = Buffer.from(`${kind}\0\0\0\0`, 'latin1');
  head.writeUInt32BE(head.length + bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/**
 * A bitmap as stored in an .ico: header, pixels from the bottom up as blue, green, red, alpha, and
 * an empty mask.
 */
function bitmap(png) {
  const { width, height, rows } = readPng(png);
  const head = Buffer.alloc(40);
  head.writeUInt32LE(40, 0);
  head.writeInt32LE(width, 4);
  head.writeInt32LE(height * 2, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(32, 14);
  const pixels = rows.toReversed().map((row) => {
    const turned = Buffer.from(row);
    for (let at = 0; at < turned.length; at += 4) [turned[at], turned[at + 2]] = [row[at + 2], row[at]];
    return turned;
  });
  const mask = Buffer.alloc(Math.ceil(width / 32) * 4 * height);
  return Buffer.concat([head, ...pixels, mask]);
}

/**
 * Decodes the rows of a PNG: only eight-bit RGBA without interlacing, as the pictures are (RFC
 * 2083).
 */
function readPng(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  if (png.subarray(24, 29).toString('hex') !== '0806000000')
    throw new Error('the picture is not one of 8 bits with an alpha channel');
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const data = zlib.inflateSync(Buffer.concat(parts));
  const rows = [];
  let above = Buffer.alloc(width * 4);
  for (let y = 0; y < height; y += 1) {
    const start = y * (width * 4 + 1);
    above = unfilter(data[start], data.subarray(start + 1, start + 1 + width * 4), above);
    rows.push(above);
  }
  return { width, height, rows };
}

function unfilter(kind, row, above) {
  const out = Buffer.alloc(row.length);
  for (let at = 0; at < row.length; at += 1) {
    const left = at < 4 ? 0 : out[at - 4];
    const up = above[at];
    const corner = at < 4 ? 0 : above[at - 4];
    out[at] = row[at] + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind];
  }
  return out;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

if (import.meta.main) {
  fs.writeFileSync(inRoot('assets/icon.ico'), ico());
  fs.writeFileSync(inRoot('assets/icon.icns'), icns());
}
