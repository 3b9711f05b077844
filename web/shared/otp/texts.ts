import type { Catalogue } from '#domain/language/catalogue.ts';
import { CODE, SIGNIN } from '#domain/language/en.ts';
import { settings } from '#web/shared/http/settings.ts';

let code: Catalogue['code'] = CODE;

/** Of the forms for a phone and its code. */
export const codeTexts = (): Catalogue['code'] => code;

export function setCodeTexts(texts: Catalogue['code']): void {
  code = texts;
}

/** With which the calls of the page answer too. */
export const pageLanguage = (): string => document.documentElement.lang || 'en';

/** Of the login page. */
export const signinTexts = (): Catalogue['signin'] => settings().texts?.signin ?? SIGNIN;
