/** docs/product.md#limits. */
export const LOGO_SIZE_BYTES_MAX = 1_000_000;

/** Beside the company: 120 x 28 CSS pixels, three pixels of the logo for each. */
const PIXELS_PER_PX = 3;
/** A wide logo stands above the company. Sizes in CSS pixels. */
const WIDE = { ratio: 2, height: 36, widthMax: 240 };
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

function storedSize(logo: string): Size {
  const [, width = 0, height = 0] = (LOGO_NAME.exec(logo) ?? []).map(Number);
  return { width, height };
}

export function isWideLogo(logo: string): boolean {
  const { width, height } = storedSize(logo);
  return width > WIDE.ratio * height;
}

/** In CSS pixels. */
export function logoSize(logo: string): Size {
  const { width, height } = storedSize(logo);
  const scale = isWideLogo(logo)
    ? Math.min(WIDE.height / height, WIDE.widthMax / width)
    : 1 / PIXELS_PER_PX;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
