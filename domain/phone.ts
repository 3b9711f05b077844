import { toAsciiDigits } from './digit.ts';

export const DEFAULT_COUNTRY = 'IN';

interface ParsedPhone {
  readonly ext?: string | undefined;
  isPossible(): boolean;
}

/** The server and the browser load libphonenumber-js with different metadata. */
type ParsePhone<Parsed extends ParsedPhone> = (
  text: string,
  country: typeof DEFAULT_COUNTRY,
) => Parsed | undefined;

export function parsePhone<Parsed extends ParsedPhone>(
  phone: string,
  parse: ParsePhone<Parsed>,
): Parsed | undefined {
  const parsed = parse(toAsciiDigits(phone), DEFAULT_COUNTRY);
  return parsed?.isPossible() && !parsed.ext ? parsed : undefined;
}
