/** docs/product.md#limits. */
export const LOGO_SIZE_BYTES_MAX = 1_000_000;

/** A card shows it in 120 x 28 CSS pixels; three pixels of the logo for each. */
const PIXELS_PER_PX = 3;
export const LOGO_BOX_PX = { width: 360, height: 84 } as const;

/** A name ends with the size, so that a card has space for the logo before it is loaded. */
const LOGO_NAME = /-(\d{1,3})x(\d{1,2})\.webp$/;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** `baseName` is the user's id, a dash and 32 hexadecimal digits. */
export function logoFileName(baseName: string, { width, height }: Size): string {
  return `${baseName}-${width}x${height}.webp`;
}

/** In CSS pixels. */
export function logoSize(logo: string): Size {
  const [, width = 0, height = 0] = (LOGO_NAME.exec(logo) ?? []).map(Number);
  return { width: Math.round(width / PIXELS_PER_PX), height: Math.round(height / PIXELS_PER_PX) };
}
