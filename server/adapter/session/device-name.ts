import { parse } from 'bowser';

/** Longer than the names of browsers and systems. */
const NAME_LENGTH_MAX = 60;
/** Longer than the header of any browser. */
const AGENT_LENGTH_MAX = 512;

/** For example 'Chrome on Android'; '' if neither is known. Only this name is stored. */
export function deviceName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > AGENT_LENGTH_MAX) return '';
  const { browser, os } = parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, NAME_LENGTH_MAX);
}
