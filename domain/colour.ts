import { convertRgbToLrgb, parseHex, serializeHex } from 'culori/fn';

type Channels = Readonly<Record<'r' | 'g' | 'b', number>>;

export const channelsOf = (colour: string): Channels => parseHex(colour) ?? { r: 0, g: 0, b: 0 };

export const toColour = ({ r, g, b }: Channels): string => serializeHex({ mode: 'rgb', r, g, b });

/** `share`, from 0 to 1, is the share of the first colour. */
export function mixColours(one: string, other: string, share: number): string {
  const [first, second] = [channelsOf(one), channelsOf(other)];
  const mix = (name: keyof Channels) => first[name] * share + second[name] * (1 - share);
  return toColour({ r: mix('r'), g: mix('g'), b: mix('b') });
}

/** The contrast that text needs (WCAG 2.2, 1.4.3). */
export const CONTRAST_MIN = 4.5;

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const { r, g, b } = convertRgbToLrgb(channelsOf(colour));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
