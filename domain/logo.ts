export const LOGO_SIZE_BYTES_MAX = 1_000_000;

/** Beside the company a logo has 120 x 28 CSS pixels, with three pixels of the file for each. */
const PIXELS_PER_PX = 3;
/** A wide logo stands above the company. These sizes are in CSS pixels. */
const WIDE = { ratio: 2, height: 36, widthMax: 240 };
/** A logo that is so wide is a word mark, which spells the name of the company. */
const WORD_MARK_RATIO = 3;
export const LOGO_BOX_PX = { width: 360, height: 84 } as const;

/**
 * Replaces the random digits in the name of a logo that is visible on a dark card. The name keeps the form
 * that nodes of version 2.0 know, because their cleanup deletes files with any other name.
 */
const LIGHT_MARK = '00000000';
/** A name ends with the size, so that a card can leave space for the logo before it has loaded. */
const LOGO_NAME = /(0{8})?-(\d{1,3})x(\d{1,2})\.webp$/;

export interface LogoPicture {
  readonly width: number;
  readonly height: number;
  readonly isLight: boolean;
}

/** `baseName` is the user's id, a dash and 32 hexadecimal digits. */
export function logoFileName(baseName: string, { width, height, isLight }: LogoPicture): string {
  const base = isLight ? baseName.slice(0, -LIGHT_MARK.length) + LIGHT_MARK : baseName;
  return `${base}-${width}x${height}.webp`;
}

function parseLogo(logo: string): LogoPicture {
  const [, mark, width = 0, height = 0] = LOGO_NAME.exec(logo) ?? [];
  return { width: Number(width), height: Number(height), isLight: mark !== undefined };
}

/** A logo gets a plate in dark mode unless its name marks it as light, as earlier versions never did. */
export function logoVariants(logo: string): readonly ('wide' | 'light')[] {
  const { width, height, isLight } = parseLogo(logo);
  return [
    ...(width > WIDE.ratio * height ? (['wide'] as const) : []),
    ...(isLight ? (['light'] as const) : []),
  ];
}

export function isWordMark(logo: string): boolean {
  const { width, height } = parseLogo(logo);
  return logo !== '' && width >= WORD_MARK_RATIO * height;
}

export function logoSize(logo: string) {
  const { width, height } = parseLogo(logo);
  const scale = logoVariants(logo).includes('wide')
    ? Math.min(WIDE.height / height, WIDE.widthMax / width)
    : 1 / PIXELS_PER_PX;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
