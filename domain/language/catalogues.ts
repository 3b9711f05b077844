import { bn } from './bn.ts';
import { en } from './en.ts';
import { gu } from './gu.ts';
import { hi } from './hi.ts';
import { kn } from './kn.ts';
import { ml } from './ml.ts';
import { mr } from './mr.ts';
import { or } from './or.ts';
import { pa } from './pa.ts';
import { ta } from './ta.ts';
import { te } from './te.ts';
import { ur } from './ur.ts';
import type { Catalogue } from './catalogue.ts';
import type { Language } from './language.ts';

// oxfmt-ignore
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, hi, ta, te, bn, mr, gu, kn, ml, pa, or, ur };
