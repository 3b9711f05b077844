const CHANNEL_MAX = 255;

export function channelsOf(colour: string): readonly [red: number, green: number, blue: number] {
  const channel = (start: number) => parseInt(colour.slice(start, start + 2), 16) / CHANNEL_MAX;
  return [channel(1), channel(3), channel(5)];
}

const hex = (value: number) =>
  Math.round(value * CHANNEL_MAX)
    .toString(16)
    .padStart(2, '0');

export function toColour(channels: readonly number[]): string {
  return `#${channels.map(hex).join('')}`;
}

/** `share` is that of the first one. */
export function mixColours(one: string, other: string, share: number): string {
  const others = channelsOf(other);
  return toColour(
    channelsOf(one).map((value, at) => value * share + (others[at] ?? 0) * (1 - share)),
  );
}

/** WCAG 2.2, 1.4.3: for text. */
export const CONTRAST_MIN = 4.5;

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const linear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
