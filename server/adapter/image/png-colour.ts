import { crc32, deflateSync } from 'node:zlib';

/** A chunk has a length, a type and a checksum around its data (PNG, third edition, section 5.3). */
const CHUNK_OVERHEAD_BYTES = 12;
const SIGNATURE_BYTES = 8;
const CHUNKS_READ_MAX = 200;
/** These chunks say how to read the samples as colours. An ICC profile replaces them. */
const COLOUR_CHUNKS = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);
const COLOUR_TYPE_OFFSET = 9;
/** This bit of the colour type means red, green and blue instead of grey. */
const COLOUR_BIT = 2;

/** x and y of white, red, green and blue (CIE 1931). */
type Chromaticities = readonly number[];
/** g, a, b, c and d of an ICC parametric curve of type 3: ((a x + b)^g above d, c x below). */
type Curve = readonly [number, number, number, number, number];

const SRGB_PRIMARIES = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
/** The primaries of ITU-T H.273, table 2, without those of film and DCI cinemas. */
const PRIMARIES: Readonly<Record<number, Chromaticities>> = {
  1: SRGB_PRIMARIES,
  5: [0.3127, 0.329, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
  6: [0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  9: [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
  12: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
};
const SRGB: Curve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];
const power = (gamma: number): Curve => [gamma, 1, 0, 0, 0];
/** The curve of a display that shows video (ITU-R BT.1886), as Chromium reads it. */
const VIDEO = power(2.4);
/** The curves of ITU-T H.273, table 3, without those of high dynamic range. */
const CURVES: Readonly<Record<number, Curve>> = {
  1: VIDEO,
  4: power(2.2),
  5: power(2.8),
  6: VIDEO,
  8: power(1),
  13: SRGB,
  14: VIDEO,
  15: VIDEO,
};
const DECIMALS = 100_000;
/** A gamma this close to 1 / 2.2 means sRGB, because most programs write sRGB like this. */
const SRGB_GAMMA = { value: 0.45455, tolerance: 0.005 };
const CHROMATICITY_TOLERANCE = 0.002;

interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly data: DataView;
}

/**
 * Returns a PNG whose colours the decoder reads as browsers do: cICP, or gAMA with cHRM, become an ICC
 * profile (PNG, third edition, section 4.3). Any other file is returned as it is.
 */
export function withColourProfile(png: Uint8Array): Uint8Array {
  const chunks = readChunks(png);
  const [header] = chunks;
  const space = header?.type === 'IHDR' && readSpace(chunks);
  if (!space) return png;
  const isGrey = (header.data.getUint8(COLOUR_TYPE_OFFSET) & COLOUR_BIT) === 0;
  const profile = deflateSync(iccProfile(space, isGrey));
  const kept = chunks.slice(1).filter(({ type }) => !COLOUR_CHUNKS.has(type));
  const rest = png.subarray(chunks.at(-1)?.end ?? header.end);
  return Buffer.concat([
    png.subarray(0, header.end),
    chunk('iCCP', Buffer.concat([Buffer.from('png\0\0', 'latin1'), profile])),
    ...kept.map(({ start, end }) => png.subarray(start, end)),
    rest,
  ]);
}

function readChunks(png: Uint8Array): Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  let start = SIGNATURE_BYTES;
  while (start + CHUNK_OVERHEAD_BYTES <= png.length && chunks.length < CHUNKS_READ_MAX) {
    const length = view.getUint32(start);
    const end = start + CHUNK_OVERHEAD_BYTES + length;
    const type = Buffer.from(png.subarray(start + 4, start + 8)).toString('latin1');
    if (type === 'IDAT' || end > png.length) break;
    const data = new DataView(png.buffer, png.byteOffset + start + 8, length);
    chunks.push({ type, start, end, data });
    start = end;
  }
  return chunks;
}

interface Space {
  readonly primaries: Chromaticities;
  readonly curve: Curve;
}

/** Returns null if the decoder reads the colours correctly by itself, and for an unknown colour space. */
function readSpace(chunks: readonly Chunk[]): Space | null {
  const find = (name: string, length: number) =>
    chunks.find(({ type, data }) => type === name && data.byteLength >= length)?.data;
  const coded = find('cICP', 4);
  if (coded) {
    const [primaries, curve] = [PRIMARIES[coded.getUint8(0)], CURVES[coded.getUint8(1)]];
    return primaries && curve ? { primaries, curve } : null;
  }
  const gamma = (find('gAMA', 4)?.getUint32(0) ?? 0) / DECIMALS;
  if (find('iCCP', 1) || find('sRGB', 1) || gamma === 0) return null;
  const chromaticities = find('cHRM', 32);
  const primaries = chromaticities
    ? SRGB_PRIMARIES.map((_, index) => chromaticities.getUint32(4 * index) / DECIMALS)
    : SRGB_PRIMARIES;
  const isSrgb =
    Math.abs(gamma - SRGB_GAMMA.value) < SRGB_GAMMA.tolerance &&
    primaries.every(
      (value, at) => Math.abs(value - (SRGB_PRIMARIES[at] ?? 0)) < CHROMATICITY_TOLERANCE,
    );
  return isSrgb || primaries.some((value) => value <= 0)
    ? null
    : { primaries, curve: power(1 / gamma) };
}

/** The white of the ICC connection space. */
const D50 = [0.9642, 1, 0.8249];
/** The columns of a 3 x 3 matrix. */
type Matrix = readonly (readonly number[])[];
/** Bradford's cone responses, by which one white is adapted to another. */
const BRADFORD: Matrix = [
  [0.8951, -0.7502, 0.0389],
  [0.2664, 1.7135, -0.0685],
  [-0.1614, 0.0367, 1.0296],
];

/** Returns a matrix profile or a grey profile of version 4 (ICC.1:2010). */
function iccProfile({ primaries, curve }: Space, isGrey: boolean): Buffer {
  const trc = Buffer.concat([Buffer.from('para\0\0\0\0\0\x03\0\0', 'latin1'), fixed(curve)]);
  const xyz = (values: readonly number[]) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), fixed(values)]);
  const tags: [string, Buffer][] = [['wtpt', xyz(D50)]];
  if (isGrey) tags.push(['kTRC', trc]);
  else
    for (const [at, values] of colorants(primaries).entries())
      tags.push([`${'rgb'[at]}XYZ`, xyz(values)], [`${'rgb'[at]}TRC`, trc]);
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  let offset = 128 + table.length;
  for (const [index, [name, data]] of tags.entries()) {
    table.write(name, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(offset, 8 + 12 * index);
    table.writeUInt32BE(data.length, 12 + 12 * index);
    offset += data.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset);
  header.writeUInt32BE(0x04200000, 8);
  header.write(`mntr${isGrey ? 'GRAY' : 'RGB '}XYZ `, 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  fixed(D50).copy(header, 68);
  return Buffer.concat([header, table, ...tags.map(([, data]) => data)]);
}

/** Returns the XYZ values of full red, green and blue, adapted to D50. */
function colorants(primaries: Chromaticities): number[][] {
  const [white = [], ...colours] = [0, 2, 4, 6].map((at) => {
    const [x = 0, y = 1] = primaries.slice(at, at + 2);
    return [x / y, 1, (1 - x - y) / y];
  });
  const scales = solve(colours, white);
  const [from, to] = [multiply(BRADFORD, white), multiply(BRADFORD, D50)];
  return colours.map((colour, index) => {
    const cones = multiply(
      BRADFORD,
      colour.map((value) => value * (scales[index] ?? 0)),
    );
    return solve(
      BRADFORD,
      cones.map((value, cone) => (value * (to[cone] ?? 0)) / (from[cone] ?? 1)),
    );
  });
}

function multiply(matrix: Matrix, vector: readonly number[]): number[] {
  return [0, 1, 2].map((row) =>
    matrix.reduce((sum, column, at) => sum + (column[row] ?? 0) * (vector[at] ?? 0), 0),
  );
}

/** Returns the vector that the matrix maps to `result`, by Cramer's rule. */
function solve(matrix: Matrix, result: readonly number[]): number[] {
  const whole = determinant(matrix);
  return matrix.map((_, at) => determinant(matrix.with(at, result)) / whole);
}

function determinant(matrix: Matrix): number {
  const [[a = 0, b = 0, c = 0] = [], [d = 0, e = 0, f = 0] = [], [g = 0, h = 0, i = 0] = []] =
    matrix;
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

/** Encodes numbers in the format s15Fixed16Number of ICC. */
function fixed(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries())
    bytes.writeInt32BE(
      Math.round(Math.max(-32_000, Math.min(32_000, value)) * 65_536) | 0,
      4 * index,
    );
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(CHUNK_OVERHEAD_BYTES + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
