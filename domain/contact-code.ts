import { isBlank } from './invisible.ts';
import { graphemes } from './text.ts';
import { countTextOctets, writeVcard } from './vcard.ts';

/** Above this, a code leaves out what it can (docs/develop/product.md#code-without-internet). */
export const CODE_BYTES_MAX = 300;
/** A QR code of version 20 holds this much. Its modules are 3 px wide on a screen of 320 px. */
export const LONG_CODE_BYTES_MAX = 858;

export interface CodeTexts {
  readonly name: string;
  readonly designation: string;
  readonly companyName: string;
  readonly email: string;
  readonly phone: readonly string[];
  readonly secondPhone: readonly string[];
  readonly link: string;
}

const LEFT_OUT_IN_TURN = ['designation', 'secondPhone', 'link', 'companyName', 'email'] as const;

/** Returns the contact file that a QR code without internet contains. */
export function writeContactCode(texts: CodeTexts): string {
  const named = { ...texts, name: isBlank(texts.name) ? texts.companyName : texts.name };
  let shorter: Partial<CodeTexts> = named;
  let code = write(named.name, shorter);
  for (const field of LEFT_OUT_IN_TURN) {
    if (countTextOctets(code) <= CODE_BYTES_MAX) return code;
    shorter = { ...shorter, [field]: undefined };
    code = write(named.name, shorter);
  }
  const characters = Array.from(graphemes(named.name), ({ segment }) => segment);
  while (countTextOctets(code) > LONG_CODE_BYTES_MAX && characters.pop() !== undefined)
    code = write(`${characters.join('').trimEnd()}…`, shorter);
  return code;
}

function write(name: string, texts: Partial<CodeTexts>): string {
  const { designation = '', companyName = '', email = '', phone = [] } = texts;
  const { secondPhone = [], link = '' } = texts;
  const fields = { name, designation, companyName, email, phone };
  return writeVcard(fields, { phone: secondPhone, url: link });
}
