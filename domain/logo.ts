export const LOGO_SIZE_BYTES_MAX = 1_000_000;

/** Beside the company: 120 x 28 CSS pixels, three pixels of the logo for each. */
const PIXELS_PER_PX = 3;
/** A wide logo stands above the company. Sizes in CSS pixels. */
const WIDE = { ratio: 2, height: 36, widthMax: 240 };
export const LOGO_BOX_PX = { width: 360, height: 84 } as const;

/** A logo that is visible on a dark card, in place of random digits: version 1.1.0 knows no other names. */
const LIGHT_MARK = '00000000';
/** A name ends with the size, so that a card has space for the logo before it is loaded. */
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

/** A light logo needs no plate in dark mode; one of an earlier version has it. */
export function logoTraits(logo: string): readonly ('wide' | 'light')[] {
  const { width, height, isLight } = parseLogo(logo);
  return [
    ...(width > WIDE.ratio * height ? (['wide'] as const) : []),
    ...(isLight ? (['light'] as const) : []),
  ];
}

export function logoSize(logo: string) {
  const { width, height } = parseLogo(logo);
  const scale = logoTraits(logo).includes('wide')
    ? Math.min(WIDE.height / height, WIDE.widthMax / width)
    : 1 / PIXELS_PER_PX;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
