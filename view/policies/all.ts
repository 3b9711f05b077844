import type { Policy } from './policy.ts';
import { privacy } from './privacy.tsx';
import { refund } from './refund.tsx';
import { shipping } from './shipping.tsx';
import { terms } from './terms.tsx';

export const POLICIES: readonly Policy[] = [terms, privacy, refund, shipping];
