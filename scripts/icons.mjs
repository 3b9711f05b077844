// node scripts/icons.mjs makes the icons of the pages and of the wallet from the product's logo. For each palette
// it also makes the picture that replaces a preview picture until that is ready.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { runnerImport } from 'vite';

import { ROOT } from './ready.mjs';

const PAPER = '#fbfaf7';

const load = async (name) => (await runnerImport(join(ROOT, 'domain', name))).module;
const { PALETTES } = await load('palette.ts');
const { createMosaic } = await load('mosaic.ts');
const { mosaicLayers, TILE_SIDE } = await load('mosaic-path.ts');
const { PREVIEW_PICTURE_SIZE } = await load('share.ts');
const { personOutline } = await load('../server/feature/card/preview-image.ts');

const logo = readFileSync(join(ROOT, 'server/adapter/html/product-logo.svg'), 'utf8');
/** Some platforms round the corners themselves. */
const square = logo.replace('rx="7"', 'rx="0"');
/** Android may cut off a margin of a sixth on each side. */
const withMargin = `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48">
  <path fill="${PAPER}" d="M0 0h48v48H0z"/><g transform="translate(8 8)">${square}</g></svg>`;

const draw = (svg, sidePx) => {
  const [, width] = /width="(\d+)"/.exec(svg);
  const density = (72 * sidePx) / Number(width);
  return sharp(Buffer.from(svg), { density })
    .resize(sidePx)
    .png({ compressionLevel: 9 })
    .toBuffer();
};

/** An ICO file has a header of 6 bytes, an entry of 16 bytes for each picture, and the PNG. */
function toIco(png, sidePx) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // An icon, not a cursor.
  header.writeUInt16LE(1, 4); // One picture.
  header.writeUInt8(sidePx, 6);
  header.writeUInt8(sidePx, 7);
  header.writeUInt16LE(1, 10); // Colour planes.
  header.writeUInt16LE(32, 12); // Bits per pixel.
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const TILE_PX = 96;

/** Draws tiles that are cut alike on opposite sides, and a person's outline in an arch of three tiles. */
function drawSubstitute(palette) {
  const { widthPx, heightPx } = PREVIEW_PICTURE_SIZE;
  const grid = { columns: Math.ceil(widthPx / TILE_PX), rows: Math.ceil(heightPx / TILE_PX) };
  const { bases, shapes } = mosaicLayers(createMosaic('Tessera', grid, palette));
  const left = (widthPx - grid.columns * TILE_PX) / 2;
  const top = (heightPx - grid.rows * TILE_PX) / 2;
  const sidePx = 3 * TILE_PX;
  const arch = { leftPx: (widthPx - sidePx) / 2, topPx: heightPx - sidePx };
  const opening = `M${arch.leftPx} ${heightPx}V${top + sidePx}h${sidePx}V${heightPx}z`;
  const paths = [...bases, ...shapes].map(({ fill, path }) => `<path fill="${fill}" d="${path}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">
    <path fill="${palette.tones[0]}" d="M0 0h${widthPx}v${heightPx}H0z"/>
    <g transform="translate(${left} ${top}) scale(${TILE_PX / TILE_SIDE})">${paths.join('')}</g>
    <path fill="${palette.tones[0]}" d="${opening}"/>${personOutline(arch, palette)}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 60, mozjpeg: true }).toBuffer();
}

const ICONS = {
  'page/icon/apple-touch-icon.png': await draw(square, 180),
  'page/icon/favicon.ico': toIco(await draw(logo, 32), 32),
  'page/icon/icon-192.png': await draw(logo, 192),
  'page/icon/icon-512.png': await draw(logo, 512),
  'page/icon/icon-maskable.png': await draw(withMargin, 512),
  'wallet/icon/icon.png': await draw(logo, 29),
  'wallet/icon/icon@2x.png': await draw(logo, 58),
  'wallet/icon/icon@3x.png': await draw(logo, 87),
};
for (const [index, palette] of PALETTES.entries()) {
  const number = String(index).padStart(2, '0');
  ICONS[`card/substitute/${number}.jpg`] = await drawSubstitute(palette);
}

for (const [name, bytes] of Object.entries(ICONS)) {
  const path = join(ROOT, 'server/feature', name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
}
