import type { Catalogue } from './catalogue.ts';
import { en } from './en.ts';
import { hi } from './hi.ts';
import type { Language } from './language.ts';
import { ta } from './ta.ts';
import { ur } from './ur.ts';

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, hi, ta, ur };
