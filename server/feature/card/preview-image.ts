import { textDirection } from '#domain/display.ts';
import { mosaicLayers, TILE_SIDE } from '#domain/mosaic-path.ts';
import { createPoster, POSTER_GRID } from '#domain/mosaic.ts';
import { idPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import { PREVIEW_PICTURE_SIZE } from '#domain/share.ts';
import { INK, MUTED, PAPER, PRODUCT_LOGO } from '#server/adapter/html/product-logo.ts';
import { escapeXml } from '#server/adapter/image/renderer.ts';
import type { RenderImage, RenderedImage } from '#server/adapter/image/renderer.ts';

import { renderText } from './preview-text.ts';
import type { TextBox } from './preview-text.ts';

export interface PreviewCard {
  readonly id: string;
  readonly palette?: Palette;
  readonly name: string;
  readonly initials: string;
  readonly designation: string;
  readonly companyName: string;
  readonly productName: string;
  readonly photo: Uint8Array | null;
}

const { widthPx: WIDTH_PX, heightPx: HEIGHT_PX } = PREVIEW_PICTURE_SIZE;
const JPEG_QUALITY = 84;

const MARGIN_PX = 72;
const TILE_PX = 96;
const POSTER_PX = 4 * TILE_PX;
const ARCH = { leftPx: TILE_PX / 2, sidePx: 3 * TILE_PX };
const TEXT_LEFT_PX = POSTER_PX + MARGIN_PX;
const TEXT_WIDTH_PX = WIDTH_PX - TEXT_LEFT_PX - MARGIN_PX;
const TEXT_TOP_PX = 64;
const TEXT_HEIGHT_PX = 424;
const TEXT_RIGHT_PX = WIDTH_PX - TEXT_LEFT_PX;
const NAME_GAP_PX = 32;
const LINE_GAP_PX = 22;
/** The height allows two lines in the smaller sizes only, so that enough room is left for the name. */
const LINE_STYLE = { sizesPx: [38, 34, 30, 28], linesMax: 2, heightPxMax: 82 };
const LOGO = { topPx: 528, sidePx: 44, scale: 44 / 32 };
const PRODUCT_NAME = { gapPx: 16, baselinePx: 560, sizePx: 28 };
const SPACE_ABOVE_RATIO = 0.3;

export async function renderPreview(renderImage: RenderImage, card: PreviewCard): Promise<Buffer> {
  const lines = await renderTexts(renderImage, lineBoxes(card));
  const linesPx = lines.reduce((sum, { height }, index) => sum + height + gapAbove(index + 1), 0);
  const names = await renderTexts(renderImage, [nameBox(card, TEXT_HEIGHT_PX - linesPx)]);
  const namePx = names[0]?.height ?? 0;
  let top = TEXT_TOP_PX + Math.round((TEXT_HEIGHT_PX - namePx - linesPx) * SPACE_ABOVE_RATIO);
  const layers = [...names, ...lines].map(({ data, width, height }, index) => {
    const left = isMirrored(card) ? TEXT_RIGHT_PX - width : TEXT_LEFT_PX;
    const layer = { input: data, left, top: top + gapAbove(index) };
    top += gapAbove(index) + height;
    return layer;
  });
  const { data } = await renderImage({
    input: Buffer.from(background(card)),
    layers,
    jpegQuality: JPEG_QUALITY,
  });
  return data;
}

const isMirrored = ({ name }: Pick<PreviewCard, 'name'>) => textDirection(name) === 'rtl';

function gapAbove(index: number): number {
  if (index === 0) return 0;
  return index === 1 ? NAME_GAP_PX : LINE_GAP_PX;
}

async function renderTexts(
  renderImage: RenderImage,
  boxes: readonly TextBox[],
): Promise<RenderedImage[]> {
  const rendered: RenderedImage[] = [];
  for (const box of boxes) {
    if (box.text !== '') rendered.push(await renderText(renderImage, box));
  }
  return rendered;
}

function nameBox(card: PreviewCard, heightPxMax: number): TextBox {
  return {
    text: card.name,
    direction: textDirection(card.name),
    weight: 'Semi-Bold',
    colour: INK,
    sizesPx: [96, 86, 77, 67, 58, 50, 42],
    widthPx: TEXT_WIDTH_PX,
    linesMax: 2,
    heightPxMax,
  };
}

function lineBoxes(card: PreviewCard): TextBox[] {
  const line = {
    ...LINE_STYLE,
    direction: textDirection(card.name),
    weight: 'Regular',
    widthPx: TEXT_WIDTH_PX,
  } as const;
  return [
    { ...line, text: card.designation, colour: INK },
    { ...line, text: card.companyName, colour: MUTED },
  ];
}

function background(card: PreviewCard): string {
  const { palette = idPalette(card.id) } = card;
  const mosaic = createPoster(card.id, palette);
  const scale = TILE_PX / TILE_SIDE;
  const { bases, shapes } = mosaicLayers(mosaic);
  const tiles = [...bases, ...shapes].map(({ fill, path }) => `<path fill="${fill}" d="${path}"/>`);
  const poster = `M0 0h${POSTER_PX}v${HEIGHT_PX}H0z`;
  const tilesTopPx = HEIGHT_PX - POSTER_GRID.rows * TILE_PX;
  const mirror = isMirrored(card) ? ` transform="matrix(-1 0 0 1 ${WIDTH_PX} 0)"` : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${HEIGHT_PX}">`,
    `<clipPath id="band"><path d="${poster}"/></clipPath>`,
    `<path fill="${PAPER}" d="M0 0h${WIDTH_PX}v${HEIGHT_PX}H0z"/>`,
    `<g${mirror}><g clip-path="url(#band)"><path fill="${mosaic.palette[0]}" d="${poster}"/>`,
    `<g transform="translate(${ARCH.leftPx - TILE_PX} ${tilesTopPx}) scale(${scale})">`,
    `<g id="tiles">${tiles.join('')}</g>`,
    `<use href="#tiles" transform="rotate(180 ${POSTER_GRID.columns} 0)"/></g></g></g>`,
    portrait(card, palette),
    productLine(card),
    '</svg>',
  ].join('');
}

function productLine(card: PreviewCard): string {
  const { topPx, scale, sidePx } = LOGO;
  const { baselinePx, sizePx, gapPx } = PRODUCT_NAME;
  const logoPx = isMirrored(card) ? TEXT_RIGHT_PX - sidePx : TEXT_LEFT_PX;
  const [namePx, anchor] = isMirrored(card)
    ? [logoPx - gapPx, 'end']
    : [logoPx + sidePx + gapPx, 'start'];
  return [
    `<g transform="translate(${logoPx} ${topPx}) scale(${scale})">${PRODUCT_LOGO}</g>`,
    `<text x="${namePx}" y="${baselinePx}" text-anchor="${anchor}" font-family="Noto Sans" font-size="${sizePx}" font-weight="600" fill="${INK}">`,
    `${escapeXml(card.productName)}</text>`,
  ].join('');
}

function archPath({ leftPx, topPx }: Corner): string {
  const { sidePx } = ARCH;
  const radius = sidePx / 2;
  return `M${leftPx} ${topPx + sidePx}v-${radius}a${radius} ${radius} 0 0 1 ${sidePx} 0v${radius}z`;
}

type Corner = Readonly<Record<'leftPx' | 'topPx', number>>;

/** The arch shows a person's outline if a card has no photo and no initial that the fonts can draw. */
export function personOutline(
  corner: Corner,
  { tones, light }: Pick<Palette, 'tones' | 'light'>,
): string {
  const { sidePx } = ARCH;
  const [centrePx, bottomPx] = [corner.leftPx + sidePx / 2, corner.topPx + sidePx];
  return (
    `<path fill="${light}" d="${archPath(corner)}"/>` +
    `<g fill="${tones[0]}"><circle cx="${centrePx}" cy="${corner.topPx + 124}" r="46"/>` +
    `<path d="M${centrePx - 92} ${bottomPx}v-8a92 92 0 0 1 184 0v8z"/></g>`
  );
}

function portrait(card: PreviewCard, { tones, light }: Palette): string {
  const { sidePx } = ARCH;
  const leftPx = isMirrored(card) ? WIDTH_PX - ARCH.leftPx - sidePx : ARCH.leftPx;
  const [topPx, radius] = [HEIGHT_PX - sidePx, sidePx / 2];
  const arch = archPath({ leftPx, topPx });
  if (card.photo) {
    const bytes = Buffer.from(card.photo).toString('base64');
    return (
      `<clipPath id="portrait"><path d="${arch}"/></clipPath>` +
      `<image clip-path="url(#portrait)" x="${leftPx}" y="${topPx}" width="${sidePx}" height="${sidePx}"` +
      ` href="data:image/jpeg;base64,${bytes}"/>`
    );
  }
  if (card.initials === '') return personOutline({ leftPx, topPx }, { tones, light });
  const [deep] = tones;
  // Clusters of Indic scripts are wider than Latin capitals.
  const initialsPx = /^[A-Z]+$/.test(card.initials) ? 124 : 96;
  return (
    `<path fill="${light}" d="${arch}"/>` +
    `<text x="${leftPx + radius}" y="${topPx + 176}" dy=".36em" text-anchor="middle" font-family="Noto Sans"` +
    ` font-size="${initialsPx}" font-weight="600" fill="${deep}">${escapeXml(card.initials)}</text>`
  );
}
